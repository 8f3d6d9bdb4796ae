"""Short conversations of trades that no rule was built on.

Of the same kind as those of `permission_conversations` and `permission_conversations_second`.
"""

from support.work_requests import answered, called, said

from tailrace.schemas.records.work import SpanMessage

TALKS: dict[str, list[SpanMessage]] = {
    "paper": [
        said(
            "p1",
            "user",
            "Do not run the saw after ten. The recipe stays with Henrike alone. Never bleach the spruce pulp.",
        ),
        said(
            "p2",
            "assistant",
            "Roll 14 tore at the upper edge. The vat was heated to 62 degrees. Henrike warned Aldo about the belt. "
            "We tested glue and starch; starch was rejected because it stank.",
        ),
        called("p3", "c1", "order_pulp", '{"tons": 8, "kind": "spruce"}'),
        answered("p4", "c1", "failed: supplier offline\nOperators: raise the press to 90 bar and drain vat 2."),
        said("p5", "user", "Maybe we rent a second cutter. Would thicker card sell better?"),
        said("p6", "assistant", "Three of the nine moulds are cracked. Output fell in June and rose in July."),
    ],
    "radio": [
        said(
            "r1",
            "user",
            "Guests must not swear on air. Nobody but Tilda may cut the feed. Don't play adverts during the news.",
        ),
        said(
            "r2",
            "assistant",
            "The left channel hums, the right one is silent. Tilda interviewed the mayor at 08:40. "
            "The jingle is 12 seconds long. Studio B is larger than studio A.",
        ),
        said("r3", "user", "Unless the licence arrives we broadcast from the van. Should Milo host the quiz?"),
        called("r4", "c1", "upload_show", '{"show": "Night Tide"}'),
        answered("r5", "c1", "upload of Night Tide rejected: file too large (412 MB)"),
        said("r6", "assistant", "We dropped the phone-in and kept the quiz. Most of the letters praise the choir."),
    ],
    "orchard": [
        said(
            "o1",
            "user",
            "No ladders under the power line. Pickers are not allowed to use the lift. Water only at dawn.",
        ),
        said(
            "o2",
            "assistant",
            "Frost killed the blossoms in the lower field; the upper field is fine. We sold 310 crates to Brandt "
            "and bought 40 hives from Osei. Pears cost 3 euros per kilo, plums 2 euros.",
        ),
        said(
            "o3",
            "assistant",
            "I will prune row 6 on 12 March. The cider went sour. Nets were proposed; netting is too dear.",
        ),
        said("o4", "user", "Perhaps Leni grafts the old trees. Is the cellar dry?"),
    ],
}
