"""Tokens of an identity provider: whose are accepted, as whom, and which are refused with a reason."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

from tailrace.schemas.api.role import AccessRole
from tailrace.schemas.errors import ConfigError
from tailrace.streams.api.caller import ApiCaller
from tailrace.streams.api.key_set import KeySet
from tailrace.streams.api.problems import ProblemError
from tailrace.streams.api.signed_tokens import SignedTokens
from tailrace.streams.settings.jwt import JwtSettings

ADDRESS = "https://login.example/keys"
SETTINGS = JwtSettings(keys=ADDRESS, issuer="https://login.example/", audience="tailrace")
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
ED_KEY = ed25519.Ed25519PrivateKey.generate()
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC_KEYS = {
    "RS256": {**RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True), "kid": "RS256", "use": "sig"},
    "ES256": {**ECAlgorithm.to_jwk(EC_KEY.public_key(), as_dict=True), "kid": "ES256"},
    "EdDSA": {**OKPAlgorithm.to_jwk(ED_KEY.public_key(), as_dict=True), "kid": "EdDSA"},
}
PRIVATE_KEYS: dict[str, Any] = {"RS256": RSA_KEY, "ES256": EC_KEY, "EdDSA": ED_KEY}


class Provider:
    """An identity provider whose keys can change, and a clock that can be moved."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.keys = list(keys)
        self.asked = 0
        self.now_seconds = 1_000.0
        self.status = 200

    def answer(self, _: httpx2.Request) -> httpx2.Response:
        self.asked += 1
        return httpx2.Response(self.status, json={"keys": self.keys})

    def tokens(self, settings: JwtSettings = SETTINGS) -> SignedTokens:
        transport = httpx2.MockTransport(self.answer)
        return SignedTokens(settings, KeySet(ADDRESS, transport=transport, clock=lambda: self.now_seconds))


def claims(**other: Any) -> dict[str, Any]:
    usual = {"iss": SETTINGS.issuer, "aud": SETTINGS.audience, "sub": "alice", "tenant": "acme", "role": "writer"}
    return {**usual, "exp": int(time.time()) + 600, **other}


def signed(payload: dict[str, Any], algorithm: str = "RS256", *, key: Any = None, **headers: Any) -> str:
    return jwt.encode(payload, key or PRIVATE_KEYS[algorithm], algorithm, {"kid": algorithm, **headers})


async def refusal(tokens: SignedTokens, text: str) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        await tokens.caller(text)
    return caught.value


@pytest.mark.parametrize("algorithm", list(PRIVATE_KEYS))
async def test_a_token_says_who_asks(algorithm: str) -> None:
    caller = await Provider(*PUBLIC_KEYS.values()).tokens().caller(signed(claims(), algorithm))

    assert caller == ApiCaller(name="alice", tenant="acme", role=AccessRole.WRITER)


async def test_claims_are_called_as_the_settings_say() -> None:
    settings = JwtSettings(
        keys=ADDRESS,
        issuer=SETTINGS.issuer,
        audience=SETTINGS.audience,
        name_claim="https://acme.example/name",
        tenant_claim="org.id",
        role_claim="realm_access.roles",
    )
    payload = claims(realm_access={"roles": ["reader", "operator", "gardener"]}, org={"id": "*"})
    payload["https://acme.example/name"] = "bob"

    caller = await Provider(*PUBLIC_KEYS.values()).tokens(settings).caller(signed(payload))

    assert caller == ApiCaller(name="bob", tenant=None, role=AccessRole.OPERATOR)


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in claims().items() if name not in names}


def with_public_key_as_secret() -> str:
    """HS256, with the provider's public key as the secret: what a checker falls for that trusts the header."""
    secret = RSA_KEY.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )

    def packed(value: bytes) -> bytes:
        return base64.urlsafe_b64encode(value).rstrip(b"=")

    head = packed(json.dumps({"alg": "HS256", "kid": "RS256"}).encode()) + b"." + packed(json.dumps(claims()).encode())
    return (head + b"." + packed(hmac.digest(secret, head, hashlib.sha256))).decode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (lambda: signed(claims(), key=OTHER_KEY), "Signature verification failed"),
        (lambda: signed(claims(exp=int(time.time()) - 120)), "expired"),
        (lambda: signed(claims(nbf=int(time.time()) + 600)), "not yet valid"),
        (lambda: signed(without("exp")), "exp"),
        (lambda: signed(claims(aud="another")), "Audience"),
        (lambda: signed(without("aud")), "aud"),
        (lambda: signed(claims(iss="https://elsewhere.example/")), "issuer"),
        (lambda: signed(without("tenant")), "api.jwt.tenant_claim"),
        (lambda: signed(claims(tenant="a\x1fb")), "control characters"),
        (lambda: signed(claims(tenant=5)), "api.jwt.tenant_claim"),
        (lambda: signed(without("role")), "api.jwt.role_claim"),
        (lambda: signed(claims(role="gardener")), "reader, writer, operator, admin"),
        (lambda: signed(claims(), "RS256", kid="unheard-of"), "no key"),
        (lambda: jwt.encode(claims(), RSA_KEY, "RS512", {"kid": "RS256"}), "alg value"),
        (lambda: jwt.encode(claims(), None, "none", {"kid": "RS256"}), "not accepted"),
        (with_public_key_as_secret, "alg value"),
        (lambda: "a.b.c", "not accepted"),
        (lambda: f"{signed(claims()).rpartition('.')[0]}.", "Signature"),
    ],
)
async def test_a_token_that_is_not_for_us_is_refused_with_the_reason(text: Callable[[], str], reason: str) -> None:
    error = await refusal(Provider(*PUBLIC_KEYS.values()).tokens(), text())

    assert error.kind.status == 401
    assert reason in error.detail
    assert "invalid_token" in error.headers["WWW-Authenticate"]


async def test_a_text_that_is_no_signed_token_is_somebody_elses_business() -> None:
    assert await Provider().tokens().caller("x" * 40) is None


async def test_a_secret_in_the_set_signs_nothing() -> None:
    secret = b"s" * 32
    shared = {"kty": "oct", "k": base64.urlsafe_b64encode(secret).decode(), "kid": "shared", "alg": "HS256"}

    error = await refusal(
        Provider(shared, PUBLIC_KEYS["RS256"]).tokens(), jwt.encode(claims(), secret, "HS256", {"kid": "shared"})
    )

    assert error.kind.status == 401


async def test_a_token_without_a_key_id_is_tried_with_all_keys() -> None:
    text = jwt.encode(claims(), EC_KEY, "ES256")

    caller = await Provider(*PUBLIC_KEYS.values()).tokens().caller(text)

    assert caller is not None


async def test_a_new_key_is_read_but_not_for_everybody_who_makes_one_up() -> None:
    provider = Provider(PUBLIC_KEYS["ES256"])
    tokens = provider.tokens()
    await tokens.caller(signed(claims(), "ES256"))
    provider.keys = [PUBLIC_KEYS["RS256"]]
    for _ in range(5):
        await refusal(tokens, signed(claims(), key=OTHER_KEY, kid="made-up"))
    assert provider.asked == 1

    provider.now_seconds += 60

    assert await tokens.caller(signed(claims())) is not None
    assert provider.asked == 2
    assert (await refusal(tokens, signed(claims(), "ES256"))).kind.status == 401


async def test_a_provider_that_is_away_locks_nobody_out_whose_key_is_known() -> None:
    provider = Provider(PUBLIC_KEYS["RS256"])
    tokens = provider.tokens()
    await tokens.caller(signed(claims()))
    provider.status = 503
    provider.now_seconds += 3_600

    assert await tokens.caller(signed(claims())) is not None


async def test_without_any_key_the_caller_is_told_to_come_back() -> None:
    provider = Provider(PUBLIC_KEYS["RS256"])
    provider.status = 503

    error = await refusal(provider.tokens(), signed(claims()))

    assert (error.kind.status, "Retry-After" in error.headers) == (503, True)


async def test_a_file_with_a_key_set_does_as_well(tmp_path: Any) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [PUBLIC_KEYS["ES256"], {"kty": "unheard-of"}]}))

    assert await SignedTokens(SETTINGS, KeySet(str(file))).caller(signed(claims(), "ES256")) is not None


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"keys": ADDRESS, "audience": "tailrace"}, "issuer"),
        ({"keys": ADDRESS, "issuer": "us"}, "audience"),
        ({"keys": "http://login.example/keys", "issuer": "us", "audience": "tailrace"}, "keys"),
    ],
)
def test_settings_that_would_accept_anybodys_tokens_are_refused(values: dict[str, str], key: str) -> None:
    with pytest.raises(ConfigError, match=rf"api\.jwt\.{key}"):
        JwtSettings(**values)
