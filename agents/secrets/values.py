"""Whether the value beside a word like password is a secret, or a placeholder, a reference, a type or a piece of code.

Names decide how much a value has to prove: what is called a password may be any word, what is called a token or a key
must look as if nobody had thought of it.
"""

import re
from collections import Counter
from functools import lru_cache
from math import log2

#: Before the word key, in small letters: whose key it is. A key alone may be one of a table.
_KEY_OWNERS = (
    "api access secret private auth service signing encryption master client db database shared app license "
    "hmac jwt session admin deploy write cloudant cl clou softlayer sl ibm iam cloud cos"
)
#: Ends of names, without separators and in small letters, and the kind of what they name. The first that fits decides.
_NAMES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("bypass", "compass", "trespass", "surpass", "publickey"), ""),
    (("password", "passwd", "passphrase", "pwd", "pass"), "password"),
    (("awssecret", "awskey", "awssecretkey", "awssecretaccesskey", "secretaccesskey"), "aws-secret-key"),
    (("accountkey", "sharedaccesskey"), "azure-key"),
    (("authorization",), "authorization"),
    (("secret", "credential", "credentials"), "secret"),
    (("token",), "token"),
    (
        tuple(f"{owner}key" for owner in _KEY_OWNERS.split()),
        "key",
    ),
)
#: Names that say too little: a count of tests, a word of a language.
_TOO_SHORT = frozenset({"pass"})
#: Where a shell is, more often than how one gets in.
_FOLDER = "pwd"
#: In the settings of npm and Docker, the name and the password of a user.
_NPM_AUTH, _DOCKER_AUTH = "_auth", "auth"
#: Kinds whose values have one form, which may begin like a path and has no need to look random otherwise.
_FORMS = {
    "aws-secret-key": re.compile(r"[A-Za-z0-9/+]{40}"),
    "azure-key": re.compile(r"[A-Za-z0-9/+]{86}=="),
}
_SEPARATORS = str.maketrans("", "", "_.-$")

#: What a mask begins with. Nothing that begins so is taken for a secret, so that masking twice changes nothing.
MASK_OPENS = "[secret:"
#: Stands for each byte of a secret that was found already.
BLANK = "\x00"

#: Values that stand for a value, whatever the name. Any of these anywhere in it, in small letters.
_PLACEHOLDER = re.compile(
    r"\$\{|\$\(|\{\{|\}\}|%\(|%[sv]\b|\.\.\.|…|\[secret:|\x00|change.?me|change.?this|\byour|_your|example"
    r"|placeholder|redacted"
    r"|masked|dummy|xxxx|\*\*\*|not.?set|to.?be.?|insert.?|replace.?|<[^<>]*>|fixme|_here\b|-here\b"
)
#: The same, where it is the whole value.
_STAND_INS = (
    "password passwd passphrase pass pwd secret token key apikey api_key api-key none null nil true false "
    "undefined string str "
    "text required optional hidden empty default unset missing bool boolean int integer number any bytes object "
    "value username user "
    "admin root test auto disabled enabled unknown plain bearer basic oauth oauth2 jwt type self this"
)
_WORDS = frozenset(_STAND_INS.split())
#: Beginnings of what says where a value is.
_REFERENCE = re.compile(
    r"[$@%{<&*]|#\{|:?-|os\.|process\.|env[.:(\[]|ENV\[|config[.:]|settings\.|secrets?[.:/]|vault:|op://|arn:"
    r"|file:|ssm:|https?://|\.{0,2}/"
    r"|[A-Za-z]:\\|~/|!Ref|!Sub|ref\+|projects/|self\.|this\.|data\.|var\.|local\.|args\.|options\.|params\."
    r"|req\.|request\."
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)*")
#: Words that are told apart by their capitals, at most with a number at the end: `AccessToken2`.
_CAMEL = re.compile(r"[A-Za-z][a-z]{2,}(?:[A-Z][a-z]{2,})+[0-9]{0,2}")
_HEX_OR_UUID = re.compile(r"[0-9a-fA-F-]+")
_PASSWORD_CHARS_MIN = 4
_RANDOM_CHARS_MIN = 12
#: Bits of entropy for each character: words of a language have less, and so have names that people give.
_RANDOM_BITS_MIN = 3.0
#: A random string of this many letters has hardly a chance to have no digit, unless it is made of letters only.
_LETTERS_CHARS_MIN = 20
_LETTERS_BITS_MIN = 3.4
#: Hexadecimal digits are sixteen.
_HEX_BITS_MIN = 2.5
#: Parts of a name that may be anything: e2e, v1, k8s.
_SHORT_CHARS_MAX = 3
_DIFFERENT_MIN = 3


@lru_cache(maxsize=4096)
def kind_named(name: str) -> str | None:
    """Return the kind of secret that a name promises, or None."""
    if name.endswith(_NPM_AUTH) or name == _DOCKER_AUTH:
        return "token"
    joined = name.translate(_SEPARATORS).lower()
    if joined in _TOO_SHORT:
        return None
    if joined == _FOLDER:
        return "secret"
    return next((kind for ends, kind in _NAMES if joined.endswith(ends)), None) or None


def is_secret(kind: str, value: str) -> bool:
    """Tell whether a value between quotes, or set in an environment, is a secret of that kind."""
    if _has_form(kind, value):
        return True
    if is_placeholder(value):
        return False
    return len(value) >= _PASSWORD_CHARS_MIN if kind == "password" else is_random(value)


def is_bare_secret(kind: str, value: str, *, in_code: bool) -> bool:
    """Tell whether a value without quotes is a secret: in code it may be the name of another variable."""
    if _has_form(kind, value):
        return True
    if is_placeholder(value) or (in_code and _IDENTIFIER.fullmatch(value)) or "::" in value:
        return False
    if kind != "password":
        return is_random(value)
    return len(value) >= _PASSWORD_CHARS_MIN and not value.isalpha() and not _is_dotted(value) and not _is_snake(value)


def is_placeholder(value: str) -> bool:
    """Tell whether a value is a placeholder: a reference, a word such as changeme, or one character over and over."""
    lowered = value.lower()
    return (
        lowered in _WORDS
        or len(set(lowered)) < _DIFFERENT_MIN  # as in aaaa, ****, a-a-a
        or _REFERENCE.match(value) is not None
        or _PLACEHOLDER.search(lowered) is not None
    )


def is_random(value: str) -> bool:
    """Tell whether nobody thought of a value: long enough, digits among letters, and no character favoured."""
    if len(value) < _RANDOM_CHARS_MIN or not value.isascii():
        return False
    has_digit = any(map(str.isdigit, value))
    has_letter = any(map(str.isalpha, value))
    if not has_letter:
        return False
    if not has_digit:
        one_case = value.isalpha() and (value.islower() or value.isupper())
        return one_case and len(value) >= _LETTERS_CHARS_MIN and entropy_bits(value) >= _LETTERS_BITS_MIN
    if _is_dotted(value) or _is_snake(value) or _CAMEL.fullmatch(value):
        return False
    return entropy_bits(value) >= (_HEX_BITS_MIN if _HEX_OR_UUID.fullmatch(value) else _RANDOM_BITS_MIN)


def is_user_token(value: str) -> bool:
    """Tell whether the user of an address is a token: no name that somebody has, with or without a number."""
    return not value.rstrip("0123456789").isalpha() and is_random(value) and not is_placeholder(value)


def entropy_bits(value: str) -> float:
    """Shannon's entropy of a character of the value, in bits."""
    return -sum(count / len(value) * log2(count / len(value)) for count in Counter(value).values())


def _has_form(kind: str, value: str) -> bool:
    form = _FORMS.get(kind)
    return form is not None and form.fullmatch(value) is not None and entropy_bits(value) >= _RANDOM_BITS_MIN


def _is_dotted(value: str) -> bool:
    """Tell whether a value is a path of names: `user.password1`."""
    return "." in value and all(part.isidentifier() and part.islower() for part in value.split("."))


def _is_snake(value: str) -> bool:
    """Tell whether a value is words with separators, at most with a number at its end: `my-secret-name-2`."""
    parts = re.split(r"[_\-:/.]", value)
    words = [part for part in parts if part]
    return len(words) > 1 and all(
        len(part) <= _SHORT_CHARS_MAX or part.isdigit() or part.rstrip("0123456789").isalpha() for part in words
    )
