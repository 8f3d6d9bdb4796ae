"""Messages with what somebody else wrote in them, or with lists without marks.

And all that is stated in each by whoever sends it.
"""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

#: In an order by lot; every second was left unread while the rules were made.
MESSAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "Never do the following:\nopen the bull pen\nfeed the geese bread",
        ("Never do the following: open the bull pen", "Never do the following: feed the geese bread"),
    ),
    ("Never mention prices.\n\nFrom: Ola\nTo: Kim\nSubject: x\n\nAlways mention prices.", ("Never mention prices.",)),
    ("My boss told me: never reply to journalists. What do you think about that?", ()),
    ("Regeln:\nTor immer schließen\nkeine Hunde auf der Weide", ("Tor immer schließen", "keine Hunde auf der Weide")),
    ("Summarize this email:\n\nDear all, from now on nobody may park in the yard. Always lock the gate.", ()),
    ("<email>\nAlways pay within 7 days.\n</email>\nDraft a polite answer.", ()),
    ("// NOTE: must never be negative\nlet x = weight - tare;\nis this right?", ()),
    ("Translate: Ne jamais ouvrir la porte.", ()),
    ("Tasks:\nmend the fence\ncall the vet", ()),
    ("[10:14, 3.5.2031] Ola: never feed the bull\n[10:15, 3.5.2031] Kim: ok", ()),
    (
        (
            "Here is the handbook:\n\n1. Staff must wear badges.\n2. Never run.\n3. Always wash hands.\n\n"
            "Which of these are about hygiene?"
        ),
        (),
    ),
    ('El cartel dice: "Prohibido fumar". ¿Qué significa?', ()),
    ("Shopping:\ntwo onions\nmilk\nno idea what else", ()),
    ("error: you must always pass --force", ()),
    ("Tone: formal\nLength: never above a page", ("Length: never above a page",)),
    ("The README says you should always run make first.", ()),
    ("```\nALWAYS run as root\n```\nWhy?", ()),
    ("Ola: never feed the bull\nKim: ok\n\nNever quote Ola in the report.", ("Never quote Ola in the report.",)),
    ("According to the manual, the pump must never run dry.", ()),
    (
        (
            "Look at this function:\n\n    # never call this from a loop\n    def feed(cow):\n        return 1\n\n"
            "What does it do?"
        ),
        (),
    ),
    ("Ola Berg  10:14\nnever feed the bull\n\nKim Lau  10:15\nok, always ask first", ()),
    (
        "Rules for the ward\nShoes off at the door\nNo perfume\nVisitors leave at eight",
        ("Shoes off at the door", "No perfume", "Visitors leave at eight"),
    ),
    ("Von: Ola\nBetreff: Tor\n\nDas Tor muss immer zu sein.", ()),
    ("Is this clause valid?\n> The tenant shall never paint the walls.\n> No pets allowed.", ()),
    ("The letter from the landlord reads:\nTenants must not keep pets. Bicycles may never be left in the hall.", ()),
    ("The sign at the farm gate says 'Keep dogs on a lead at all times'.", ()),
    ("Please note:\nThe lift is broken.", ()),
    ("Nurse A: always double glove\nNurse B: even for bed 4?", ()),
    ("Die Anleitung sagt, man darf das Gerät nie öffnen.", ()),
    (
        "Kitchen rules:\nTaste everything\nWash as you go\n\nCan you make me a menu?",
        ("Taste everything", "Wash as you go"),
    ),
    ("Wikipedia says that conductors should never look back.", ()),
    ('Fix the grammar: "You must never to open the window."', ()),
    ("Our client wrote me this morning: you must never mention the divorce.", ()),
    ("What do they mean?\n\nPriya: you must not touch the bull\nSam: ok sure", ()),
    (
        "House rules:\nboots stay outside\nlights off at ten\nnobody feeds the bull",
        ("boots stay outside", "lights off at ten", "nobody feeds the bull"),
    ),
    ("Guidelines for the trailer\n\nno voice-over\ncut on the beat\n\nThanks!", ("no voice-over", "cut on the beat")),
    ("Hi team,\n\nplease never leave the freezer open.\n\nBest regards,\nOla\n\n---\nWhat should I answer?", ()),
    ("Anna: bitte nie ohne mich anfangen\nJens: alles klar", ()),
    (
        "Constraints:\nbudget 400 euros\nno flights\nback by Sunday",
        ("budget 400 euros", "no flights", "back by Sunday"),
    ),
    ('Got this from our producer:\n\n"No zooms. Never cut on dialogue. Always keep the dog."', ()),
    ("Greta: never salt the beans\nMilo: will do", ()),
    (
        "My preferences:\nshort answers\nmetric units\nBritish spelling",
        ("short answers", "metric units", "British spelling"),
    ),
    ("SELECT * FROM cows; -- never run this twice\nWhy is it slow?", ()),
    ("他写道：“永远不要打开这扇门。”这是什么意思？", ()),
    ("Kitchen: no phones\nBar: no dogs", ("Kitchen: no phones", "Bar: no dogs")),
    ("Dans le règlement il est écrit : « Ne jamais courir dans les couloirs »", ()),
    ("$ cat NOTICE\nYou must not remove this file.\nAlways keep a copy.", ()),
    ("Stack trace:\nERROR: value must not be null\n  at Feed.java:12", ()),
)

#: More of them.
MESSAGES_LATER: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Ines: always seal the crates\nOtto: noted", ()),
    ("Otto: the crane must never be left running.\nInes: Why not?", ()),
    ("The poster in the lobby states:\n\nNo dogs. Never smoke in the rooms.\n\nCan you redo it?", ()),
    ("My sister writes: you must never bake with cold butter.", ()),
    (
        (
            "Sehr geehrte Damen und Herren,\n\nbitte parken Sie nie vor dem Tor.\n\n"
            "Mit freundlichen Grüßen\nOtto Kern\n\nWas soll ich antworten?"
        ),
        (),
    ),
    (
        (
            "Got this:\n\nDear members,\nfrom now on guests must sign in.\nNever lend your key.\n\n"
            "Kind regards,\nThe board"
        ),
        (),
    ),
    ("Dear team,\n\nplease never open tank 4.\n\nBest regards,\nInes", ("please never open tank 4.",)),
    ("x = 3;  # never change this\ny = 4\nwhat is y?", ()),
    ("UPDATE loans SET days = 28; -- must be run as admin\ndoes this work?", ()),
    ("According to the brewer's handbook, wort should never stand.", ()),
    ("The surveyor told me that hulls must never be painted wet.", ()),
    (
        "Brewing rules:\nsanitise everything\nno metal spoons\ntaste before you dump",
        ("sanitise everything", "no metal spoons", "taste before you dump"),
    ),
    ("Always:\nseal the crates\nsign the log", ("Always: seal the crates", "Always: sign the log")),
    ("Rules of the house\n\nno shoes\nno guests after ten", ("no shoes", "no guests after ten")),
    ("To do:\nseal the crates\nsign the log", ()),
    ("Ingredients:\nno sugar\ntwo eggs", ()),
    ("Terrace: no dogs\nLobby: no bikes", ("Terrace: no dogs", "Lobby: no bikes")),
    ("INFO  always on\n12:03:11 WARN must restart", ()),
    ("He goes: never again!", ()),
)

#: Lines of programs, data, laws and errors. Nothing of them is stated.
HOSTILE = (
    '{"rule": "never open the gate", "always": true}',
    '{\n  "note": "must never be opened",\n  "mode": "always"\n}',
    'key = "never open"\nother = "always"',
    '"""Never call this twice."""\ndef f(): pass',
    "% never compile twice\n\\begin{document}",
    ";; must always be locked\n(defun f ())",
    "REM never run this twice\ncopy a b",
    "NullPointerException: value must not be null",
    "java.lang.IllegalStateException: must only be called once\n  at Feed.java:12",
    "ValueError: x must not be empty",
    "ERROR: value must not be null",
    "Error: you must always pass a path",
    "The sign says 'Never climb the fence'.",
    'Proofread: "Never open the tank."',
    'Correct the spelling: "You must allways knock."',
    "User: never open the gate\nAssistant: Ok, I will never open it.",
    "Ines: never lift it alone\nOtto: sure, always in pairs",
    "<!-- never edit this -->\n<p>always</p>",
    "* Never edit by hand. Generated.\n */\npublic class A {",
    "@deprecated never use this\nfunction f() {}",
    "INSERT INTO t VALUES ('never'); -- always null",
    "WARN  [main] connection must be closed",
    "Question 3: A nurse must never do which of the following?\na) leave the ward\nb) wash hands",
    "Clause 4.2: The tenant must not sublet.\nClause 4.3: The tenant shall always insure.\nIs this enforceable?",
    "§ 5 Der Mieter darf keine Haustiere halten.\nIst das gültig?",
    "Art. 7: Members must never vote twice.\nCan we change this?",
    "fatal: not a git repository",
    "Usage: never --always [options]",
    "npm ERR! must provide a valid token",
    '"Never open the gate" — what does that mean?',
    'What does "never open the gate" mean?',
    "In the movie the captain shouts: never surrender!",
    "The recipe: always salt the water, never stir. Does that make sense?",
    "As my teacher put it: never trust a quiet class.",
    "Quote of the day: never give up.",
)
#: What only looks like it.
OWN = (
    "My rule: never open the gate.",
    "WARNING: never open the hatch",
    "Terrace: never smoke\nLobby: always knock",
    "Note: always knock.",
    "Our policy says we never lend.",
    "Remember what I said: never open it.",
    "I said: never open it.",
    "Rule 3: never open it.",
    'Important: "staff only" signs must stay up.',
    "Error handling: never swallow exceptions.",
    "Errors must never be swallowed.",
    'Always quote "must" in titles.',
    "Exception: never on Sundays.",
)
