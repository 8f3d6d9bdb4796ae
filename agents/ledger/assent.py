"""Words with which people agree, greet or send somebody on, and ask for nothing that they have not asked for before."""

from collections.abc import Iterable

from tailrace.agents.language.word_lists import words

_WORDS = (
    "yes yep yeah yup ok okay sure fine great good nice perfect cool thanks thank thx ty you please pls go ahead continue proceed resume carry "
    "keep going on do it that this so then now looks lgtm right correct agreed all done well very much for the your help hi hello hey bye "
    "will understood noted roger alles klar verstanden entendu compris entendido capito begrepen понял "
    "ja gut danke weiter mach bitte genau oui merci d'accord bien continue continuez vas-y sí si gracias vale bueno sigue adelante sim "
    "obrigado obrigada sì grazie va bene avanti goed dank je ga door tak dzięki dalej да спасибо хорошо продолжай продолжайте дальше "
    "继续 好的 好 谢谢 はい 続けて 네 계속"
)
_ASSENT = frozenset(_WORDS.split())
_REFUSAL = _ASSENT | words(
    "no nope nah not nein nö non não nee nie нет 不 不用 不用了 没有 没有了 いいえ 아니요 nothing nichts rien nada niente niets more else por favor s'il te vous plaît"
)

#: Whoever only thanks, praises or greets sends nobody on.
_THANKS = words(
    "thanks thank thx ty you very much so all great good nice perfect cool well done for the your help hi hello hey bye lgtm looks right correct "
    "danke gut merci bien gracias bueno obrigado obrigada grazie bene goed dank je dzięki спасибо хорошо 谢谢 好"
)


def is_assent(said: Iterable[str]) -> bool:
    """Tell whether words in small letters, without punctuation, do nothing else."""
    return _ASSENT.issuperset(said)


def asks_nothing(said: Iterable[str]) -> bool:
    """Tell whether words in small letters, without punctuation, only agree, decline or thank."""
    return _REFUSAL.issuperset(said)


def only_thanks(said: Iterable[str]) -> bool:
    """Tell whether words in small letters, without punctuation, only thank, praise or greet."""
    return _THANKS.issuperset(said)
