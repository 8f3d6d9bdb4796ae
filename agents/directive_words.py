"""Words that make a rule of a sentence: orders, prohibitions, permissions, standing instructions.

A model that summarises must not make rules of its own, so a sentence with such a word counts as one until it turns out to be a
quotation. The lists err on the side of refusing: a fact can be told without them, and what is refused costs only a summary.
"""

import re

_WORDS = (
    # English
    r"must(?:n['\u2019]t)?|never|always|shall|should(?:n['\u2019]t)?|forbidden|prohibit(?:ed|s)?|mandatory|obligatory|ought to|"
    r"ha(?:s|ve) to|needs? to|required? to|(?:is|are) required|requires? that|supposed to|"
    r"do not|don['\u2019]t|may not|not allowed|allowed to|permitted|permission|authori[sz](?:e|ed|es|ation)|approved?|approval|"
    r"consent(?:ed)?|make sure|ensure|be sure to|avoid|refrain|prefers?|preferred|preference|insists?|insisted|"
    r"from now on|going forward|henceforth|at all times|no matter what|without (?:asking|confirmation|exception|permission)|"
    r"ignore|disregard|override|overrides|obey|comply|instruct(?:ed|ion|ions|s)?|rules?|policy is|remember to|only ever|"
    # German
    r"muss|musst|müssen|müsst|niemals|nie|immer|soll|sollen|sollte|sollten|darf|dürfen|verboten|verpflichtend|zwingend|"
    r"ab sofort|künftig|stets|erlaubt|genehmigt|freigegeben|vermeiden|sicherstellen|ignorier\w*|anweisung\w*|regel|regeln|"
    # French
    r"doit|doivent|devez|jamais|toujours|interdit\w*|obligatoire\w*|il faut|désormais|dorénavant|autorisé\w*|permis|éviter|"
    r"évitez|ignorer|ignorez|consignes?|règles?|"
    # Spanish, Portuguese, Italian
    r"debe|deben|debes|nunca|siempre|prohibid\w*|obligatori\w*|hay que|a partir de ahora|permitid\w*|autorizad\w*|evitar|evite|"
    r"deve|devem|sempre|proibid\w*|é preciso|a partir de agora|permitido|jamais|devono|devi|mai|vietat\w*|bisogna|"
    r"d['\u2019]ora in poi|autorizzat\w*|consentit\w*|reglas?|regras?|regol[ae]|"
    # Dutch, Polish, Turkish, Swedish
    r"moet|moeten|nooit|altijd|verboden|verplicht|voortaan|toegestaan|musi|muszą|nigdy|zawsze|zabronion\w*|należy|wolno|"
    r"asla|her zaman|zorunlu|yasak|gerekir|gerekiyor|meli\b|måste|aldrig|alltid|förbjud\w*|får inte|ska alltid|"
    # Russian, Ukrainian
    r"долж\w*|никогда|всегда|нельзя|обязательн\w*|запрещ\w*|следует|разрешен\w*|повинн\w*|ніколи|завжди|заборонен\w*"
)
_SPACED = re.compile(rf"(?<!\w)(?:{_WORDS})(?!\w)", re.IGNORECASE)
#: In scripts that put no space between words, or write short ones together.
_UNSPACED = re.compile(
    "必须|必須|不得|禁止|务必|總是|总是|从不|絕不|绝不|应该|應該|應當|应当|不要|只能|今后|今後|允许|允許|"
    "べき|必ず|してはいけ|してはなら|しないで|なければなら|ないこと|常に|決して|許可|ください|"
    "반드시|해야|항상|절대|하지 ?마|금지|안 ?된다|허용|"
    "يجب|لا تفعل|دائما|دائمًا|أبدا|أبدًا|ممنوع|محظور|مسموح|ينبغي|"
    "חייב|תמיד|לעולם|אסור|मत |चाहिए|हमेशा|कभी नहीं|अनिवार्य|ต้อง|ห้าม|เสมอ|อนุญาต|πρέπει|ποτέ|πάντα|απαγορ"
)
#: Names of whoever gives orders. What is put into their mouth has to be their own words.
_PERSONS = re.compile(
    r"(?<!\w)(?:users?|customers?|clients?|operators?|human|nutzer\w*|benutzer\w*|anwender\w*|kund(?:e|en|in)|utilisat\w+|"
    r"usuari[oa]s?|cliente|clienti|utente|utenti|utilizador\w*|gebruikers?|klanten?|użytkownik\w*|klient\w*|kullan\u0131c\u0131\w*|"
    r"användare\w*|пользовател\w*|клиент\w*|користувач\w*)(?!\w)"
    "|用户|使用者|客户|ユーザー?|利用者|お客|사용자|고객|المستخدم|العميل|משתמש|उपयोगकर्ता|ผู้ใช้|χρήστη",
    re.IGNORECASE,
)
#: Verbs that put something into somebody's mouth, or a wish into their head.
_SAYING = re.compile(
    r"(?<!\w)(?:said|says?|stat(?:ed|es)|ask(?:ed|s)?|request(?:ed|s)?|want(?:ed|s)?|wish(?:ed|es)?|demand(?:ed|s)?|told|tells?|"
    r"confirm(?:ed|s)?|agreed?|agrees|specif(?:ied|ies)|requir(?:ed|es?)|expects?|expected|grant(?:ed|s)?|decided?|decides|"
    r"sagt\w*|will|wollte\w*|möchte\w*|verlangt\w*|bat|bittet|fordert\w*|bestätigt\w*|"
    r"dit|demand\w+|veut|voulait|souhait\w+|exig\w+|confirm\w+|dijo|dice|pidi\w+|pide|quier\w+|solicit\w+|disse|diz|quer|pediu|"
    r"ha detto|vuole|chiede|chiest\w+|zei|zegt|wil|vraagt|vroeg|powiedzia\w+|chce|prosi\w*|söyledi|istiyor|istedi|sade|vill|"
    r"сказал\w*|хочет|просит|попросил\w*|потребовал\w*)(?!\w)"
    "|要求|希望|说|表示|确认|求め|言っ|希望|依頼|요청|원하|말했|طلب|يريد|قال|ביקש|רוצה|चाहता|कहा|ขอ|ต้องการ|ζήτησε|θέλει",
    re.IGNORECASE,
)


#: What makes a prohibition of a sentence.
_NEGATION = re.compile(
    r"(?<!\w)(?:never|not|\w+n['\u2019]t|no|without|forbidden|prohibit\w*|avoid|only|nicht|kein\w*|nie|niemals|verboten|nur|ne|pas|jamais|"
    r"interdit\w*|nunca|prohib\w*|solo|sólo|não|proib\w*|non|mai|vietat\w*|niet|geen|nooit|nigdy|asla|inte|aldrig|не|нельзя|никогда)"
    r"(?!\w)|[不勿别禁]|ない|しないで|하지 ?마|금지|لا |ممنوع|אסור|मत |ห้าม|μην|ποτέ",
    re.IGNORECASE,
)


def is_directive(text: str) -> bool:
    """Tell whether the text orders, forbids or allows something, or might."""
    return _SPACED.search(text) is not None or (not text.isascii() and _UNSPACED.search(text) is not None)


def speaks_for_user(text: str) -> bool:
    """Tell whether the text says what a user said or wants."""
    return _PERSONS.search(text) is not None and _SAYING.search(text) is not None


def forbids(text: str) -> bool:
    """Tell whether the text forbids something, or might."""
    return _NEGATION.search(text) is not None
