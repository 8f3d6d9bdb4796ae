"""Word lists of reports: who tells that something is not so, and what makes a demand of it all the same."""

from itertools import product

from tailrace.agents.word_lists import words

#: Reports of what didn't work, didn't happen, or isn't known: their negation forbids nothing.
REPORTERS = words("i it it's he she they that that's this there there's we es das ça cela")
REPORTED = words("didn't doesn't isn't wasn't weren't hasn't haven't hadn't won't couldn't wouldn't aren't ain't")
#: The same in two words, the other being "not".
REPORTED_APART = words("did does is was were has have had are could would")
#: Of these, what the speaker refuses is no report: "I won't have it".
REFUSED = words("have accept tolerate allow permit sign pay eat")
#: A longer report may state something beside.
REPORT_WORDS_MAX = 8
#: Of others than the speaker, these tell how things are, too.
REPORTED_OF_OTHERS = words("never always only not no")
OTHERS = words("it it's he she they that that's there there's")
#: Answers and sighs with a word of demand in them.
IDLE_PAIRS = frozenset(
    (
        *product(("not",), ("yet", "bad", "sure", "really", "exactly", "quite", "now", "much", "me")),
        *(("sure", "go"), ("sure", "thing"), ("keep", "going"), ("why", "not"), ("if", "not")),
        *(("keine", "ahnung"), ("kein", "problem"), ("kein", "ding"), ("nicht", "geklappt"), ("nicht", "schlecht")),
        *(("nie", "wiem"), ("nie", "działa"), ("não", "sei"), ("não", "funciona"), ("não", "funcionou")),
        *(("geen", "idee"), ("geen", "probleem"), ("werkt", "niet"), ("weet", "niet")),
    )
)
IDLE_WORDS_MAX = 6
#: Of oneself, the verb behind these decides.
INABILITY = words("don't can't cannot")
UNKNOWING = words("know think understand remember see get recall mind care believe find open figure")
#: Words that demand something in earnest; a report with one of these is none.
EARNEST = words(
    "must mustn't avoid ensure sure require required requires requirement instead prefer preferred prefers forbidden mandatory should "
    "shall need needs allowed permitted acceptable ok okay fine please accept exceed want"
)
