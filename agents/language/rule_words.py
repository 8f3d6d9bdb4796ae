"""Words that make a rule of a sentence, in two dozen languages: demands, prohibitions, wishes.

What people said is looked at word by word, for extracts and for the ledger (`cues`): a word that only often stands in a
demand counts, too. The ledger compares statements (`lexicon`), and has to know which of their words forbid and which wish.
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
