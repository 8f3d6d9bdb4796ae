"""Words with which people agree, greet or send somebody on, and ask for nothing that they have not asked for before."""

from collections.abc import Iterable

_WORDS = (
    "yes yep yeah yup ok okay sure fine great good nice perfect cool thanks thank thx ty you please pls go ahead continue proceed resume carry "
    "keep going on do it that this so then now looks lgtm right correct agreed all done well very much for the your help hi hello hey bye "
    "ja gut danke weiter mach bitte genau oui merci d'accord bien continue continuez vas-y sí si gracias vale bueno sigue adelante sim "
    "obrigado obrigada sì grazie va bene avanti goed dank je ga door tak dzięki dalej да спасибо хорошо продолжай продолжайте дальше "
    "继续 好的 好 谢谢 はい 続けて 네 계속"
)
_ASSENT = frozenset(_WORDS.split())


def is_assent(words: Iterable[str]) -> bool:
    """Tell whether words in small letters, without punctuation, do nothing else."""
    return _ASSENT.issuperset(words)
