"""Secrets for tests, made up while they run: none stands in a file, and every run has the same ones."""

import random
import string

_chance = random.Random(20)
_LETTERS = string.ascii_letters + string.digits


def _of(alphabet: str, length: int) -> str:
    return "".join(_chance.choices(alphabet, k=length))


def _pem() -> str:
    body = "\n".join(_of(_LETTERS + "+/", 64) for _ in range(8))
    return f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"


#: By kind, each as it stands in an output; all of them are found by `find_secrets`.
SECRETS = {
    "token": "gh" + "p_" + _of(_LETTERS, 36),
    "cloud": "AK" + "IA" + _of(string.ascii_uppercase + string.digits, 16),
    "key": "sk-" + "proj-" + _of(_LETTERS, 40),
    "private": _pem(),
}
