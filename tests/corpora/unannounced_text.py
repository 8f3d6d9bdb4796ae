"""Messages that simply hold what somebody else wrote, with what of them is their sender's own.

Beside them stand people's own words that look like it. Written before the rules that are judged by them. Every second
of each list was left unread while the rules were made.
"""

#: Somebody else's text, and what its sender states beside it.
UNINTRODUCED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            "Dear Mr. Hale,\n\nYou must vacate the flat by 31 May. Never pay the rent in cash.\n\n"
            "Yours sincerely,\nJ. Pratt"
        ),
        (),
    ),
    ("Dear residents,\n\nnobody may park in the yard. Doors must be locked.\n\nKind regards,\nThe board", ()),
    (
        (
            "Dear Dr. Orme,\n\nsamples must always be frozen.\n\nBest regards,\nLab 4\n\n"
            "Draft a reply. Never admit anything."
        ),
        ("Never admit anything.",),
    ),
    ("Dear parents,\n\nchildren must never bring nuts.\n\nBest wishes,\nMs. Ahn\n\nWhat does she mean?", ()),
    ("Sehr geehrte Frau Kolb,\n\nSie müssen bis zum 5. Mai zahlen.\n\nMit freundlichen Grüßen\nStadtwerke", ()),
    (
        "Sehr geehrte Damen und Herren,\n\nHunde dürfen nie in den Hof.\n\nFreundliche Grüße\nDie Verwaltung",
        (),
    ),
    ("Liebe Eltern,\n\ndie Kinder müssen immer Hausschuhe tragen.\n\nViele Grüße\nFrau Ahn", ()),
    (
        (
            "Liebe Nachbarn,\n\nnie nach 22 Uhr bohren.\n\nHerzliche Grüße\nFamilie Lang\n\n"
            "Fass das zusammen. Antworte immer auf Deutsch."
        ),
        ("Antworte immer auf Deutsch.",),
    ),
    ("Madame, Monsieur,\n\nVous devez toujours payer avant le 5 du mois.\n\nCordialement,\nLe syndic", ()),
    ("Monsieur Petit,\n\nIl ne faut jamais fumer dans l'immeuble.\n\nBien cordialement,\nLa gérance", ()),
    (
        (
            "Chers voisins,\n\nne laissez jamais la porte ouverte.\n\nVeuillez agréer nos salutations distinguées,\n"
            "Le conseil"
        ),
        (),
    ),
    (
        (
            "Chère Madame,\n\nvous devez rendre les clés avant lundi.\n\nSalutations distinguées\nM. Roux\n\n"
            "Que dois-je répondre ?"
        ),
        (),
    ),
    ("Estimado cliente:\n\nNunca debe dejar la puerta abierta.\n\nUn saludo,\nLa comunidad", ()),
    ("Estimada señora Ruiz:\n\nDebe pagar antes del 5 de mayo.\n\nAtentamente,\nEl banco", ()),
    ("Queridos padres:\n\nlos niños nunca deben traer nueces.\n\nUn cordial saludo,\nLa directora", ()),
    (
        "Muy señor mío:\n\nsiempre debe firmar en la entrada.\n\nCordialmente,\nLa gerencia\n\n¿Qué contesto?",
        (),
    ),
    ("NOTICE TO ALL RESIDENTS\n\nNo bicycles in the hallway. Doors must always be locked.\n\nThe Management", ()),
    ("Notice to visitors\n\nNever touch the glass. Bags must stay outside.", ()),
    ("AUSHANG\n\nDie Treppe darf nie verstellt werden. Immer abschließen.\n\nDie Hausverwaltung", ()),
    ("AVIS AUX LOCATAIRES\n\nIl est interdit de fumer. Fermez toujours la porte.", ()),
    ("AVISO A LOS VECINOS\n\nNunca dejen basura en el portal. Siempre cierren la puerta.", ()),
    ("Public notice\n\nDogs must always be on a lead.\n\nIs that even legal?", ()),
    (
        (
            "Minutes of the meeting of 4 May\n\nPresent: Hale, Pratt\nBudget: at most 900 euros.\n"
            "Nobody may park in the yard."
        ),
        (),
    ),
    ("Protokoll der Sitzung vom 4. Mai\n\nKeiner darf im Hof parken. Das Budget beträgt höchstens 900 Euro.", ()),
    ("Compte rendu de la réunion du 4 mai\n\nIl ne faut jamais fumer. Le budget est de 900 euros.", ()),
    ("Acta de la reunión del 4 de mayo\n\nNunca se debe aparcar en el patio.", ()),
    ("The Tenant shall not keep any pets. The Tenant must pay the rent by the third of each month.", ()),
    ("The Supplier shall deliver within 30 days. The Customer must never resell the goods.", ()),
    ("Le Locataire ne doit jamais fumer. Le Bailleur doit toujours prévenir le Locataire.", ()),
    ("El Arrendatario nunca debe subarrendar. El Arrendador debe avisar siempre.", ()),
)

#: People's own words to the agent, with what they state.
OWN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Hi, please never use tabs. Thanks, Anna", ("Hi, please never use tabs.",)),
    ("Hi,\n\nplease never use tabs.\n\nThanks,\nAnna", ("please never use tabs.",)),
    ("Hello,\n\nI need a poster. Never use red.\n\nBest regards,\nAnna", ("Never use red.",)),
    ("Hello there,\n\nalways answer in French.\n\nCheers,\nTom", ("always answer in French.",)),
    ("Dear assistant,\n\nnever quote prices.\n\nKind regards,\nMona", ("never quote prices.",)),
    ("Dear Claude,\n\nalways cite your sources.\n\nBest,\nMona", ("always cite your sources.",)),
    ("Dear team,\n\nplease never open tank 4.\n\nBest regards,\nInes", ("please never open tank 4.",)),
    ("Dear all,\n\nnever email on Sundays.\n\nRegards,\nInes", ("never email on Sundays.",)),
    ("Hallo,\n\nantworte immer auf Deutsch.\n\nViele Grüße\nJonas", ("antworte immer auf Deutsch.",)),
    ("Guten Tag,\n\nnie Emojis verwenden.\n\nMit freundlichen Grüßen\nJonas", ("nie Emojis verwenden.",)),
    ("Bonjour,\n\nréponds toujours en français.\n\nCordialement,\nLéa", ("réponds toujours en français.",)),
    ("Bonjour,\n\nn'utilise jamais de tableau.\n\nMerci,\nLéa", ("n'utilise jamais de tableau.",)),
    ("Hola,\n\nresponde siempre en español.\n\nUn saludo,\nPablo", ("responde siempre en español.",)),
    ("Hola,\n\nnunca uses tablas.\n\nGracias,\nPablo", ("nunca uses tablas.",)),
    ("Notice that the gate must always be locked.", ("Notice that the gate must always be locked.",)),
    ("Notice: never open gate 3.", ("Notice: never open gate 3.",)),
    ("Minutes must never exceed one page.", ("Minutes must never exceed one page.",)),
    ("Minutes of meetings must always be in French.", ("Minutes of meetings must always be in French.",)),
    ("The tenant must never see the margin.", ("The tenant must never see the margin.",)),
    ("The customer must always be called by name.", ("The customer must always be called by name.",)),
    ("Never email the Client without asking.", ("Never email the Client without asking.",)),
    ("Minutes of the call go to Ines\n\nNever use tabs.", ("Minutes of the call go to Ines", "Never use tabs.")),
    ("Dear support,\n\nnever call me at work.\n\nKind regards,\nMona", ("never call me at work.",)),
    ("Hi Ava,\n\nalways sign as Tom.\n\nBest,\nTom", ("always sign as Tom.",)),
    ("The Client is Norvik. Never email them.", ("The Client is Norvik. Never email them.",)),
    ("Letters begin with Dear and must end with Regards.", ("Letters begin with Dear and must end with Regards.",)),
)
