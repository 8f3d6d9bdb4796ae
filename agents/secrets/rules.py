"""The table of what a secret looks like.

Each pattern begins with one literal character: the regular expression engine then leaps from one such character to the
next, some thirty times faster than it tries a set of letters or an alternation at every place. Every repetition has an
upper bound, so that the work at one place has one too.
"""

import re
from dataclasses import dataclass


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, for which white space and words are those of ASCII, whatever the text around them."""
    return re.compile(pattern, re.ASCII)


#: What a token is written in, where nothing narrower is known.
_WORD = r"[A-Za-z0-9_-]"
_LETTERS = r"[A-Za-z0-9]"


@dataclass(frozen=True, slots=True)
class Prefixed:
    """Tokens that begin with a prefix of their issuer: what follows the prefix."""

    kind: str
    body: re.Pattern[str]


def _prefixed(kind: str, prefixes: str, body: str) -> dict[str, Prefixed]:
    rule = Prefixed(kind, compiled(body))
    return dict.fromkeys(prefixes.split(), rule)


#: By prefix. The last character of each is `_`, `-` or `.`, which `SEPARATORS` looks for.
PREFIXED: dict[str, Prefixed] = {
    **_prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{36,255}"),
    **_prefixed("github-token", "github_pat_", r"[A-Za-z0-9_]{40,255}"),
    **_prefixed("gitlab-token", "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt-", _WORD + r"{20,300}"),
    **_prefixed("gitlab-token", "glagent- gloas-", _WORD + r"{40,1024}"),
    **_prefixed("slack-token", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xapp-", _WORD + r"{10,300}"),
    **_prefixed("stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", _LETTERS + r"{16,250}"),
    **_prefixed("stripe-key", "whsec_", r"[A-Za-z0-9+/=]{24,128}"),
    **_prefixed("sendgrid-key", "SG.", _WORD + r"{22}\." + _WORD + r"{43}"),
    **_prefixed("npm-token", "npm_", _LETTERS + r"{36,64}"),
    **_prefixed("pypi-token", "pypi-", r"AgE" + _WORD + r"{70,1024}"),
    **_prefixed("anthropic-key", "sk-ant-", _WORD + r"{24,250}"),
    # Any number of names may stand between; one part must be long and without a hyphen, or `sk-learn-...` is a key.
    **_prefixed(
        "openai-key",
        "sk- sk-proj- sk-svcacct- sk-admin-",
        r"(?!ant-)(?=" + _WORD + r"{0,99}?[0-9])(?=" + _WORD + r"{0,199}?[A-Za-z0-9]{16})" + _WORD + r"{20,300}",
    ),
    **_prefixed("google-oauth", "GOCSPX-", _WORD + r"{24,40}"),
    **_prefixed("google-oauth", "ya29.", _WORD + r"{30,1024}"),
    **_prefixed("vault-token", "hvs. hvb. hvr.", _WORD + r"{24,300}"),
    **_prefixed("huggingface-token", "hf_", _LETTERS + r"{30,64}"),
    **_prefixed("groq-key", "gsk_", _LETTERS + r"{40,64}"),
    **_prefixed("xai-key", "xai-", _LETTERS + r"{40,128}"),
    **_prefixed("perplexity-key", "pplx-", _LETTERS + r"{40,64}"),
    **_prefixed("replicate-token", "r8_", _LETTERS + r"{36,64}"),
    **_prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    **_prefixed("docker-token", "dckr_pat_ dckr_oat_", _WORD + r"{24,64}"),
    **_prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    **_prefixed("square-token", "sq0csp- sq0atp-", _WORD + r"{22,60}"),
    **_prefixed("linear-key", "lin_api_", _LETTERS + r"{32,64}"),
    **_prefixed("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_]{40,400}"),
    **_prefixed("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    **_prefixed("newrelic-key", "NRAK-", r"[A-Z0-9]{27}"),
    **_prefixed("rubygems-key", "rubygems_", r"[0-9a-f]{48}"),
    **_prefixed("figma-token", "figd_", _WORD + r"{40,64}"),
}
PREFIX_LENGTHS = tuple(sorted({len(prefix) for prefix in PREFIXED}, reverse=True))


def _behind(separator: str, after: int) -> str:
    """A pattern that holds where so many characters follow the end of a prefix: one character of it, then three.

    Most places fail by the first, and nearly all others by the three.
    """
    ends = {prefix[-4:-1] for prefix in PREFIXED if prefix.endswith(separator)}
    by_length = (sorted(re.escape(end) for end in ends if len(end) == length) for length in sorted(set(map(len, ends))))
    follows = rf"{re.escape(separator)}.{{{after}}}"
    last = "".join(sorted({end[-1:] for end in ends}))
    whole = "|".join(r"(?<=(?:" + "|".join(same) + r")" + follows + r")" for same in by_length)
    return r"(?<=[" + last + r"]" + follows + r")(?:" + whole + r")"


#: The words that give away a value beside them, and the word value itself, by their last three letters, in any case.
_LAST_LETTERS = "|".join(
    "".join(f"[{letter}{letter.upper()}]" for letter in ending)
    for ending in ("key", "ret", "ken", "ord", "swd", "pwd", "ase", "ass", "uth", "ial", "als", "lue")
)

#: Where a prefix ends, a token of parts is held together, a private key or a flag that a value follows begins. What
#: follows is taken before what stands behind is looked at: the engine does that at once, and most places fail by it.
#: There are no groups, which would have to be noted at every place: the text that was matched says what it is. By what
#: every match holds.
SEPARATORS = {
    "_": compiled(r"_" + _WORD + r"{16}" + _behind("_", 16)),
    "-": compiled(
        r"-(?:-(?:---BEGIN |-- BEGIN |[A-Za-z][A-Za-z0-9_-]{2,48}(?=[ \t\\\"'])(?:(?<=-user)|(?<="
        + _LAST_LETTERS
        + r")))"
        r"|u(?:s(?=[0-9])|(?=[ \"'])(?<=[\s\"'`\[,]-u))|User-Key-File-[23]|" + _WORD + r"{16}" + _behind("-", 16) + r")"
    ),
    ".": compiled(r"\." + _WORD + r"{6}(?:\." + _WORD + r"{27}|(?<=\.eyJ.{3})|" + _behind(".", 6) + r")"),
}

#: Tokens that are known by what holds them together: how long what stands left of it may be, the end of that, and all
#: that begins at it.
AROUND: tuple[tuple[str, int, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "jwt",
        1024,
        compiled(r"eyJ[A-Za-z0-9_=-]{5,1021}\Z"),
        compiled(r"\.eyJ[A-Za-z0-9_=-]{2,8192}(?:\.[A-Za-z0-9_+/=-]{0,2048})?"),
    ),
    ("mailchimp-key", 32, compiled(r"[0-9a-z]{32}\Z"), compiled(r"-us[0-9]{1,2}(?![0-9A-Za-z])")),
    (
        "discord-token",
        26,
        compiled(r"[MNO][A-Za-z0-9_-]{23,25}\Z"),
        compiled(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
    ),
)

#: Whole tokens, by what every match holds. The kind is the name of the group that took part.
WHOLE = {
    "A": compiled(
        r"A(?=[3ABCGIKPST][0-9A-Za-z_-])(?:"
        r"(?<=[0-9]:A)(?<=[0-9]{8}:A)(?P<telegram_token>A[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])|"
        r"(?<![A-Z0-9]A)(?P<aws_access_key_id>(?:3T[A-Z0-9]|BIA|CCA|KIA|SIA)[A-Z0-9]{16})(?![A-Za-z0-9])"
        r"|(?P<google_api_key>Iza[A-Za-z0-9_-]{35})"
        r"|(?<![A-Za-z0-9]A)(?P<twilio_key>C[0-9a-f]{32})(?![A-Za-z0-9])"
        r"|(?<![A-Za-z0-9]A)(?P<artifactory_key>KC[A-Za-z0-9]{10,200})(?![A-Za-z0-9])"
        # With a digit and a small letter: without, it may be a word in capitals.
        r"|(?<![A-Za-z0-9]A)(?P<artifactory_password>"
        r"P[0-9A-F](?=[A-Za-z]{0,60}[0-9])(?=[A-Z0-9]{0,60}[a-z])[A-Za-z0-9]{8,200})(?![A-Za-z0-9])"
        r"|(?P<age_key>GE-SECRET-KEY-1[A-Z0-9]{58})"
        r"|(?P<atlassian_token>TATT3x[A-Za-z0-9_=-]{60,300})"
        # Where SQL sets a password. No group: what follows decides.
        r"|(?<=PA)SSWORD(?<![A-Za-z0-9_-]PASSWORD)(?=[ (\t\n]|\\[nt])"
        r")"
    ),
    "GR1348941": compiled(r"G(?P<gitlab_token>R1348941[A-Za-z0-9_-]{20,50})(?![A-Za-z0-9])"),
}
#: A whole token from its second letter on, which is rarer than the first.
SECOND_LETTER = compiled(r"K(?<=SK)(?<![A-Za-z0-9]SK)(?P<twilio_key>[0-9a-f]{32})(?![A-Za-z0-9])")

#: First, second and third of these three letters, for a quick look; also for authorization, cookie and sig.
_THREE_LETTERS = r"[AIKLOPRSUaikloprsu][AEILORSTUWaeilorstuw][DEGHLNSTYdeghlnsty]"


def _assigned(sign: str, otherwise: str = "", directly: str = "") -> str:
    """A pattern for a sign that follows one of the words, with at most a closing quote, a bracket and spaces between.

    `otherwise` is what else may stand there, `directly` what else may without anything between.
    """

    def behind(gap: str) -> str:
        return r"(?<=(?:" + _LAST_LETTERS + r")" + gap + sign + r")"

    # Any of the letters in the three places first, then those of each word: most places fail at the first.
    return (
        r"(?<=" + _THREE_LETTERS + sign + r")(?:" + behind("") + otherwise.replace("%s", "") + directly + r")"
        r"|(?<=[\"'`\t \]]" + sign + r")(?:(?<=" + _THREE_LETTERS + r"." + sign + r")(?:"
        + behind(r"[\"'`\t ]") + otherwise.replace("%s", r"[\"'\t ]") + r")"
        + r"|(?<=[\\\"'`]." + sign + r")(?:" + behind(r"(?:\\[\"']|[\"'`][\t \]])") + r"|" + behind(r"\\[\"'][\t ]")
        # JSON in JSON in JSON.
        + r"|" + behind(r"\\\\\\[\"']") + r")"
        # Columns of signs: which word stands before the spaces is looked up later. Few colons stand behind two tabs,
        # many behind two spaces.
        + (r"|(?<=[ \t]{2}=)|(?<=[\"'`]\] =)" if sign == "=" else r"|(?<=\t\t:)") + r")"
    )  # fmt: skip


#: Signs that a value follows. A named group is the secret and its kind; without one, the words before the sign decide.
SIGNS = {
    ":": compiled(
        r":(?:"
        # The user, the password, and everything up to the last @ before the path, as URLs are read.
        r"//(?:(?P<url_user>[^\s/:@?#\"'<>\\]{0,255})(?::?@|:(?P<url_password>[^\s/?#\"'<>\\]{1,256})@)"
        r"|(?P<slack_webhook>hooks\.slack\.com/services/T[A-Za-z0-9_]{1,20}/B[A-Za-z0-9_]{1,20}/[A-Za-z0-9_]{8,64})"
        r"|(?P<discord_webhook>discord(?:app)?\.com/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_-]{40,100})"
        r"|api\.softlayer\.com/soap/v3(?:\.1)?/(?P<softlayer_key>[a-z0-9]{64}))"
        r"|" + _assigned(":", r"|(?<=uthorization%s:)|(?<=UTHORIZATION%s:)|(?<=ookie%s:)") + r")"
    ),
    "=": compiled(
        r"=(?:" + _assigned("=", directly=r"|(?<=[?&]sig=)(?P<azure_signature>[A-Za-z0-9%+/=_-]{40,128})") + r")"
    ),
}

#: What an `Authorization` header or a program that makes one says; the group is the secret. And by what SQL identifies
#: a user.
BEARER = compiled(r"B(?:(?:earer|EARER)[ ](?P<bearer_token>[A-Za-z0-9_.~+/=-]{16,4096})|Y(?<=[ ]BY)(?=[ \t\n]|\\[nt]))")

#: The same in small letters.
IDENTIFIED = compiled(r"identified by(?=[ \t\n]|\\[nt])")

#: The word password, where something follows it that may be given to it.
PASSWORD = compiled(r"w(?<=assw)(?:or)?d(?=[>(]|\\{0,2}[\"'],|[ \t\n]|\\[nt])")
