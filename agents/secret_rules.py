"""The table of what a secret looks like.

Patterns are of bytes (UTF-8), and each begins with one literal byte: the regular expression engine then leaps from one such
byte to the next, some thirty times faster than it tries a set of letters or an alternation at every place. Every repetition
has an upper bound, so that the work at one place has one too.
"""

import re
from dataclasses import dataclass

#: What a token is written in, where nothing narrower is known.
_WORD = rb"[A-Za-z0-9_-]"
_LETTERS = rb"[A-Za-z0-9]"


@dataclass(frozen=True, slots=True)
class Prefixed:
    """Tokens that begin with a prefix of their issuer: what follows the prefix."""

    kind: str
    body: re.Pattern[bytes]


def _prefixed(kind: str, prefixes: str, body: bytes) -> dict[bytes, Prefixed]:
    rule = Prefixed(kind, re.compile(body))
    return {prefix.encode(): rule for prefix in prefixes.split()}


#: By prefix. The last character of each is `_`, `-` or `.`, which `SEPARATORS` looks for.
PREFIXED: dict[bytes, Prefixed] = {
    **_prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rb"[A-Za-z0-9_]{36,255}"),
    **_prefixed("github-token", "github_pat_", rb"[A-Za-z0-9_]{40,255}"),
    **_prefixed("gitlab-token", "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt-", _WORD + rb"{20,300}"),
    **_prefixed("gitlab-token", "glagent- gloas-", _WORD + rb"{40,1024}"),
    **_prefixed("slack-token", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xapp-", _WORD + rb"{10,300}"),
    **_prefixed("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", _LETTERS + rb"{16,250}"),
    **_prefixed("stripe-key", "whsec_", rb"[A-Za-z0-9+/=]{24,128}"),
    **_prefixed("sendgrid-key", "SG.", _WORD + rb"{22}\." + _WORD + rb"{43}"),
    **_prefixed("npm-token", "npm_", _LETTERS + rb"{36,64}"),
    **_prefixed("pypi-token", "pypi-", rb"AgE" + _WORD + rb"{70,1024}"),
    **_prefixed("anthropic-key", "sk-ant-", _WORD + rb"{24,250}"),
    # Any number of names may stand between; one part must be long and without a hyphen, or `sk-learn-...` is a key.
    **_prefixed(
        "openai-key",
        "sk- sk-proj- sk-svcacct- sk-admin-",
        rb"(?!ant-)(?=" + _WORD + rb"{0,99}?[0-9])(?=" + _WORD + rb"{0,199}?[A-Za-z0-9]{16})" + _WORD + rb"{20,300}",
    ),
    **_prefixed("google-oauth", "GOCSPX-", _WORD + rb"{24,40}"),
    **_prefixed("google-oauth", "ya29.", _WORD + rb"{30,1024}"),
    **_prefixed("vault-token", "hvs. hvb. hvr.", _WORD + rb"{24,300}"),
    **_prefixed("huggingface-token", "hf_", _LETTERS + rb"{30,64}"),
    **_prefixed("groq-key", "gsk_", _LETTERS + rb"{40,64}"),
    **_prefixed("xai-key", "xai-", _LETTERS + rb"{40,128}"),
    **_prefixed("perplexity-key", "pplx-", _LETTERS + rb"{40,64}"),
    **_prefixed("replicate-token", "r8_", _LETTERS + rb"{36,64}"),
    **_prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rb"[0-9a-f]{64}"),
    **_prefixed("docker-token", "dckr_pat_ dckr_oat_", _WORD + rb"{24,64}"),
    **_prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_", rb"[0-9a-fA-F]{32}"),
    **_prefixed("square-token", "sq0csp- sq0atp-", _WORD + rb"{22,60}"),
    **_prefixed("linear-key", "lin_api_", _LETTERS + rb"{32,64}"),
    **_prefixed("sentry-token", "sntrys_ sntryu_", rb"[A-Za-z0-9+/=_]{40,400}"),
    **_prefixed("postman-key", "PMAK-", rb"[0-9a-f]{24}-[0-9a-f]{34}"),
    **_prefixed("newrelic-key", "NRAK-", rb"[A-Z0-9]{27}"),
    **_prefixed("rubygems-key", "rubygems_", rb"[0-9a-f]{48}"),
    **_prefixed("figma-token", "figd_", _WORD + rb"{40,64}"),
}
PREFIX_LENGTHS = tuple(sorted({len(prefix) for prefix in PREFIXED}, reverse=True))


def _behind(separator: bytes) -> bytes:
    """A pattern that holds behind the end of a prefix: three characters of it, because most places fail by them."""
    ends = {prefix[-4:-1] for prefix in PREFIXED if prefix.endswith(separator)}
    by_length = (sorted(re.escape(end) for end in ends if len(end) == length) for length in sorted(set(map(len, ends))))
    return b"|".join(rb"(?<=(?:" + b"|".join(same) + rb")" + re.escape(separator) + rb")" for same in by_length)


def _last_characters(separator: bytes) -> bytes:
    """The characters that stand before a separator at the end of a prefix."""
    return b"".join(sorted({prefix[-2:-1] for prefix in PREFIXED if prefix.endswith(separator)}))


#: The words that give away a value beside them, by their last three letters, in any case.
_LAST_LETTERS = b"|".join(
    b"".join(b"[%c%c]" % (letter, letter - 32) for letter in ending)
    for ending in (b"key", b"ret", b"ken", b"ord", b"swd", b"pwd", b"ase", b"ass", b"uth", b"ial", b"als")
)

#: Where a prefix ends, a token of parts is held together, a private key or a flag that a value follows begins.
SEPARATORS = (
    re.compile(rb"_(?=[A-Za-z0-9_-]{16})(?:" + _behind(b"_") + rb")"),
    # No groups, which would have to be noted at every place: the text that was matched says what it is.
    re.compile(
        rb"-(?:-(?:---BEGIN |-- BEGIN |[A-Za-z][A-Za-z0-9_-]{2,48}(?=[ \t\\\"'])(?:(?<=-user)|(?<="
        + _LAST_LETTERS
        + rb")))"
        rb"|u(?:s(?=[0-9])|(?=[ \"'])(?<=[\s\"'`\[,]-u))|User-Key-File-[23]"
        rb"|(?=[A-Za-z0-9_-]{16})(?<=[" + _last_characters(b"-") + rb"]-)(?:" + _behind(b"-") + rb"))"
    ),
    re.compile(rb"\.(?=[A-Za-z0-9_-]{6})(?:eyJ|(?=.{6}\.[A-Za-z0-9_-]{27})|" + _behind(b".") + rb")"),
)

#: Longer than the first part of any token, and short enough to look at for every separator.
LEFT_BYTES_MAX = 1024
#: Tokens that are known by what holds them together: the end of what stands left of it, and all that begins at it.
AROUND: tuple[tuple[str, re.Pattern[bytes], re.Pattern[bytes]], ...] = (
    (
        "jwt",
        re.compile(rb"eyJ[A-Za-z0-9_=-]{5,1021}\Z"),
        re.compile(rb"\.eyJ[A-Za-z0-9_=-]{2,8192}(?:\.[A-Za-z0-9_+/=-]{0,2048})?"),
    ),
    ("mailchimp-key", re.compile(rb"[0-9a-z]{32}\Z"), re.compile(rb"-us[0-9]{1,2}(?![0-9A-Za-z])")),
    (
        "discord-token",
        re.compile(rb"[MNO][A-Za-z0-9_-]{23,25}\Z"),
        re.compile(rb"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
    ),
)

#: Whole tokens. The kind is the name of the group that took part.
WHOLE = (
    re.compile(
        rb"A(?=[3ABCGIKPST][0-9A-Za-z_-])(?:"
        rb"(?<=[0-9]:A)(?<=[0-9]{8}:A)(?P<telegram_token>A[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])|"
        rb"(?<![A-Z0-9]A)(?P<aws_access_key_id>(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[A-Z0-9]{16})(?![A-Za-z0-9])"
        rb"|(?P<google_api_key>Iza[A-Za-z0-9_-]{35})"
        rb"|(?<![A-Za-z0-9]A)(?P<twilio_key>C[0-9a-f]{32})(?![A-Za-z0-9])"
        rb"|(?<![A-Za-z0-9]A)(?P<artifactory_key>KC[A-Za-z0-9]{10,200})(?![A-Za-z0-9])"
        # With a digit and a small letter: without, it may be a word in capitals.
        rb"|(?<![A-Za-z0-9]A)(?P<artifactory_password>"
        rb"P[0-9A-F](?=[A-Za-z]{0,60}[0-9])(?=[A-Z0-9]{0,60}[a-z])[A-Za-z0-9]{8,200})(?![A-Za-z0-9])"
        rb"|(?P<age_key>GE-SECRET-KEY-1[A-Z0-9]{58})"
        rb"|(?P<atlassian_token>TATT3x[A-Za-z0-9_=-]{60,300})"
        rb")"
    ),
    re.compile(rb"G(?P<gitlab_token>R1348941[A-Za-z0-9_-]{20,50})(?![A-Za-z0-9])"),
    re.compile(rb"S(?<![A-Za-z0-9]S)(?P<twilio_key>K[0-9a-f]{32})(?![A-Za-z0-9])"),
)

#: The same by place, and those of authorization, cookie and sig.
_THREE_LETTERS = rb"[AIKOPRSUaikoprsu][AEILORSTWaeilorstw][DEGHLNSTYdeghlnsty]"


def _assigned(sign: bytes, otherwise: bytes = b"", directly: bytes = b"") -> bytes:
    """A pattern for a sign that follows one of the words, with at most a closing quote, a bracket and spaces between.

    `otherwise` is what else may stand there, `directly` what else may without anything between.
    """

    def behind(gap: bytes) -> bytes:
        return rb"(?<=(?:" + _LAST_LETTERS + rb")" + gap + sign + rb")"

    # Any of the letters in the three places first, then those of each word: most places fail at the first.
    return (
        rb"(?<=" + _THREE_LETTERS + sign + rb")(?:" + behind(b"") + otherwise.replace(b"%s", b"") + directly + rb")"
        rb"|(?<=[\"'` \]]" + sign + rb")(?:(?<=" + _THREE_LETTERS + rb"." + sign + rb")(?:"
        + behind(rb"[\"'` ]") + otherwise.replace(b"%s", rb"[\"' ]") + rb")"
        + rb"|(?<=[\\\"'`]." + sign + rb")(?:" + behind(rb"(?:\\[\"']|[\"'`][ \]])")
        # JSON in JSON in JSON.
        + rb"|" + behind(rb"\\\\\\[\"']") + rb")"
        # Columns of equal signs: which word stands before the spaces is looked up later.
        + (rb"|(?<=[ ]{2}=)|(?<=[\"'`]\] =)" if sign == b"=" else b"") + rb")"
    )  # fmt: skip


#: Signs that a value follows. A named group is the secret and its kind; without one, the words before the sign decide.
SIGNS = (
    re.compile(
        rb":(?:"
        # The user, the password, and everything up to the last @ before the path, as URLs are read.
        rb"//(?:[^\s/:@?#\"'<>\\]{0,64}:(?P<url_password>[^\s/?#\"'<>\\]{1,256})@"
        rb"|(?P<slack_webhook>hooks\.slack\.com/services/T[A-Za-z0-9_]{1,20}/B[A-Za-z0-9_]{1,20}/[A-Za-z0-9_]{8,64})"
        rb"|(?P<discord_webhook>discord(?:app)?\.com/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_-]{40,100})"
        rb"|api\.softlayer\.com/soap/v3(?:\.1)?/(?P<softlayer_key>[a-z0-9]{64}))"
        rb"|" + _assigned(b":", rb"|(?<=uthorization%s:)|(?<=UTHORIZATION%s:)|(?<=ookie%s:)") + rb")"
    ),
    re.compile(
        rb"=(?:" + _assigned(b"=", directly=rb"|(?<=[?&]sig=)(?P<azure_signature>[A-Za-z0-9%+/=_-]{40,128})") + rb")"
    ),
)

#: What an `Authorization` header or a program that makes one says; the group is the secret.
BEARER = re.compile(rb"B(?:earer|EARER)[ ](?P<bearer_token>[A-Za-z0-9_.~+/=-]{16,4096})")

#: The word password, where something follows it that may be given to it.
PASSWORD = re.compile(rb"w(?<=assw)(?:or)?d(?=[>(]|\\{0,2}[\"'],|[ \t\n]|\\[nt])")
