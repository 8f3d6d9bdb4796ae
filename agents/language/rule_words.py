"""Words that make a rule of a sentence, in two dozen languages: demands, prohibitions, wishes, and whoever gives them.

All of them stand here, because three readers look for the same thing and each errs on its own side. What people said is looked at
word by word, for extracts and for the ledger (`cues`): a word that only often stands in a demand counts, too. A model that summarises
must not make rules of its own, so a sentence with an order in it counts as one until it turns out to be a quotation: there, phrases
count that no fact needs, and what is refused costs only a summary. The ledger compares statements (`ledger/lexicon`), and has to
know which of their words forbid and which wish.
"""

import re
from typing import Final

from tailrace.agents.language.word_lists import words

#: Single words that give a demand away.
DEMANDS: Final = (
    "must mustn't never always don't dont not cannot can't shouldn't won't only avoid ensure sure require required "
    "requires requirement instead prefer preferred prefers forbidden mandatory longer "
    "muss musst müssen niemals nie immer nur nicht kein keine keinen keiner darf dürfen "
    "doit doivent jamais toujours seulement uniquement faut interdit "
    "debe deben nunca siempre sólo solamente prohibido deve devem sempre somente apenas não "
    "devono soltanto vietato moet moeten nooit altijd alleen niet geen musi nigdy zawsze tylko asla sadece "
    "должен должна должны никогда всегда только нельзя обязательно"
)
#: Advice, or a word that often stands in a demand.
WISHES: Final = (
    "should shall need needs have has unless without until least most important remember note rather please keep want "
    "allowed limit maximum minimum exactly deadline "
    "soll sollen sollte bitte ohne statt sans évitez plutôt sin evita quiero sem evite quero senza evitare zonder нужно"
)
#: What a statement about a wish begins with or holds.
PREFERENCES: Final = words(
    "prefer prefers preferred preference rather like likes want wants wish möchte lieber préfère "
    "préférer veux prefiero quiero prefiro quero preferisco voglio liever graag wolę предпочитаю хочу"
)
#: In a prohibition, what is named is what must not be touched, not a value that may change.
PROHIBITIONS: Final = words(
    "never not don't dont cannot can't mustn't shouldn't won't forbidden only nie niemals nicht nur jamais pas nunca no não solo non "
    "mai nooit niet alleen nigdy nie никогда нельзя не только"
)
#: Before what is denied. What is denied was said before.
NEGATIONS: Final = words("not nicht pas non no não niet nie не")

#: Demands in scripts that put no space between words, or none that splits them well; for all readers.
_UNSPACED = (
    "必须|必須|不得|禁止|务必|总是|从不|不要|只能|べき|必ず|してはいけ|しないで|ないこと|ください|반드시|해야|항상|절대|하지 ?마|يجب|دائما|أبدا|मत |चाहिए|"
    "ต้อง|ห้าม"
)
#: What people demand with.
UNSPACED_DEMAND: Final = re.compile(
    f"{_UNSPACED}|(?:以后|以後|今后|今後|从现在起|從現在起|これから|今後).{{0,12}}(?:都|要|用|不|全|一律|すべて|経由|お願い)|不能|不许|不許|不准|严禁|嚴禁|厳禁|请勿|請勿|不可|始终|始終|永远|永遠|一律|最多|至少|不超过|先问|先問|过敏|過敏|だけ|常に|決して|以内|アレルギー|안 ?돼|지 ?마|먼저|"
    "알레르기|لا |فقط|(?:回答|回复|回覆|答复|输出|輸出)[^。]{0,6}用|(?:回答|返信|返事)は[^。]{1,10}で(?:。|$|お願い)|"
    r"(?:周末|週末|每[天周週月年]|[周週][一二三四五六日]|星期.|夜间|夜間|晚上|节假日|假日)[^。,\n]{0,4}不(?!知|是|在|了)"
)
#: What no summary may say of its own.
_UNSPACED_ORDER = re.compile(
    f"{_UNSPACED}|"
    "總是|絕不|绝不|应该|應該|應當|应当|今后|今後|允许|允許|してはなら|なければなら|常に|決して|許可|금지|안 ?된다|허용|لا تفعل|دائمًا|أبدًا|ممنوع|محظور|"
    "مسموح|ينبغي|חייב|תמיד|לעולם|אסור|हमेशा|कभी नहीं|अनिवार्य|เสมอ|อนุญาต|πρέπει|ποτέ|πάντα|απαγορ"
)
#: Phrases that order, forbid or allow.
_ORDERS = (
    # English
    r"must(?:n['\u2019]t)?|never|always|shall|should(?:n['\u2019]t)?|forbidden|prohibit(?:ed|s)?|mandatory|obligatory|ought to|"
    r"ha(?:s|ve) to|needs? to|required? to|(?:is|are) required|requires? that|supposed to|"
    r"do not|don['\u2019]t|may not|not allowed|allowed to|permitted|permission|authori[sz](?:e|ed|es|ation)|approved?|approval|"
    r"free to|no need to|needs? no|ok(?:ay)? to|fine to|may (?:now|freely|go ahead|be \w+(?:ed|id|en|wn|lt|nt))|"
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
    r"deve|devem|sempre|proibid\w*|é preciso|a partir de agora|permitido|jamais|devono|devi|(?<!\d )(?<!\d\. )mai|vietat\w*|bisogna|"
    r"d['\u2019]ora in poi|autorizzat\w*|consentit\w*|reglas?|regras?|regol[ae]|"
    # Dutch, Polish, Turkish, Swedish
    r"moet|moeten|nooit|altijd|verboden|verplicht|voortaan|toegestaan|musi|muszą|nigdy|zawsze|zabronion\w*|należy|wolno|"
    r"asla|her zaman|zorunlu|yasak|gerekir|gerekiyor|meli\b|måste|aldrig|alltid|förbjud\w*|får inte|ska alltid|"
    # Russian, Ukrainian
    r"долж\w*|никогда|всегда|нельзя|обязательн\w*|запрещ\w*|следует|разрешен\w*|повинн\w*|ніколи|завжди|заборонен\w*"
)
_SPACED = re.compile(rf"(?<!\w)(?:{_ORDERS})(?!\w)", re.IGNORECASE)
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
    r"(?<!\w)(?:never|not|\w+n['\u2019]t|no|nobody|none|nothing|without|forbidden|niemand|nichts|ohne|personne|sans|nadie|nada|sin|nessuno|niente|senza|"
    r"ninguém|sem|zonder|nikt|bez|никто|без|prohibit\w*|avoid|only|nicht|kein\w*|nie|niemals|verboten|nur|ne|pas|jamais|"
    r"interdit\w*|nunca|prohib\w*|solo|sólo|não|proib\w*|non|mai|vietat\w*|niet|geen|nooit|nigdy|asla|inte|aldrig|не|нельзя|никогда)"
    r"(?!\w)|[不勿别禁]|ない|しないで|하지 ?마|금지|لا |ممنوع|אסור|मत |ห้าม|μην|ποτέ",
    re.IGNORECASE,
)


def is_directive(text: str) -> bool:
    """Tell whether the text orders, forbids or allows something, or might."""
    return _SPACED.search(text) is not None or (not text.isascii() and _UNSPACED_ORDER.search(text) is not None)


def speaks_for_user(text: str) -> bool:
    """Tell whether the text says what a user said or wants."""
    return _PERSONS.search(text) is not None and _SAYING.search(text) is not None


def forbids(text: str) -> bool:
    """Tell whether the text forbids something, or might."""
    return _NEGATION.search(text) is not None
