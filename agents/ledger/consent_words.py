"""Words and set phrases with which people say yes or no, and those that put a condition on it, in small letters."""

# ruff: noqa: RUF001  words of languages whose letters look like Latin ones

import re

from tailrace.agents.language.word_lists import words

#: Says yes or no whatever follows; in no language that has the word it begins anything else.
PLAINLY = re.compile(
    r"(?:(?:then|so|well|dann|also|alors|entonces|allora|então|dan) )?(?:yes|yep|yeah|yup|yea|aye|nope|nah|ja|jawohl|jup|nein|nö|doch|oui|ouais|sí|sì|sim|nee|tak|да|ага|hai|evet|hayır|ano|igen|kyllä)(?![\w'\u2019-])|"
    r"はい|ええ|いいえ|네(?!\w)|예(?!\w)|아니[요오]"
)
#: The same where it stands alone, or before one of these: before other words it denies or belongs to one of them.
NO = re.compile(r"(?:no|non|não|nie|нет|ne|nei|ei)(?![\w'\u2019-])(?P<rest>.*)", re.DOTALL)
BEHIND_NO = words(
    "thanks thank way please not never don't i i'd i'm we you he she it it's that that's this they there the my our but just only leave keep let wait because since absolutely "
    "sorry actually gracias por todavía aún ahora gracias mejor merci pas c'est je il elle nous grazie ancora è per obrigado ainda por dzięki спасибо пока ещё"
)
#: Agrees where nothing else stands in the clause.
AGREEING = words(
    "ok okay okey kay sure alright allright agreed approved approve confirmed correct right exactly absolutely definitely certainly proceed lgtm fine please indeed "
    "klar gern gerne einverstanden natürlich selbstverständlich genau sicher passt richtig bitte freigegeben genehmigt bestätigt "
    "d'accord volontiers entendu absolument exactement certainement confirmé claro vale adelante exacto confirmado certo certamente volentieri esatto confermato "
    "concordo combinado akkoord graag natuurlijk zeker jasne oczywiście zgoda dobrze конечно хорошо ладно согласен согласна разумеется подтверждаю"
)
#: Wants another amount of what was asked.
AMOUNT = re.compile(
    r"(?:then |ok |please |dann |bitte )*(?:make (?:it|that)|mach(?:en sie)? (?:es |das )?|mets-en|que sean|facciamo) \d"
)
#: Those of them that may only take note of what was said last: behind another report they agree to nothing.
NOTING = words(
    "ok okay okey kay fine right alright allright correct exactly indeed klar genau richtig passt gut d'accord entendu exactement vale exacto certo esatto "
    "combinado akkoord goed jasne dobrze хорошо ладно"
)
#: May stand beside it, and says nothing of its own.
BESIDE = words(
    "all yes cool great good nice perfect let's works by with me us thing so then now you i we please thanks thank that's it's is this that it do go ahead on course of and quite very mir uns das ist so dann doch mal ja ganz recht "
    "na aber c'est bon bien sûr oui ça sí que no todo sì bene va tudo bem het is goed maar to jest мне"
)
#: Whole clauses that agree, refuse or put off.
PHRASES = re.compile(
    r"(?:please |just |then |and |so )*(?:"
    # English
    r"(?:only )?\d[\d.,]* ?\w{0,12} (?:(?:is|are|would be|will be) (?:enough|fine|plenty|sufficient)|will do|would do)|\d[\d.,]* ?\w{0,12} (?:reichen|reicht|genügen|suffisent|suffit|bastan|bastano)|"
    r"(?:confirmed|approved|agreed|cleared|signed off)(?: (?:by|with) .*)?|(?:it |that |this )?(?:works|does)(?: (?:now|fine|great|well))?|(?:let's |please )?do (?:it|that|this) (?:in|on|at|with|without|for|after|before|by|once|when|if|as|there|here) .*|(?:i'll |we'll )?(?:take|have|get|use|book|choose) (?:it|that|that one|this one)|please|(?:please )?do(?: (?:it|that|this|so|both|neither|either))?(?: (?:now|then|please|today|tomorrow|tonight|again|right away|first))*|go (?:ahead|for (?:it|that)|on)(?: (?:with (?:it|that|this)|then|please|and .*))*|"
    r"proceed(?: (?:with (?:it|that|this)|then|please|as planned))*|(?:that|this|it)(?:'s| is| would be| will be| sounds| looks| seems|'d be)? (?:works|fine|ok|okay|good|great|perfect|right|correct|all right|acceptable|lovely|wonderful|a good idea|fine by me|good enough)(?: (?:for|with|by|to) (?:me|us))?|"
    r"works for (?:me|us)|sounds (?:good|great|fine|right|perfect|ok|okay|reasonable|like a (?:good )?(?:plan|idea))(?: to me)?|(?:fine|ok|okay|good|all right) (?:by|with|for) (?:me|us)|"
    r"(?:i|we) (?:do|agree|approve|consent|confirm(?: (?:it|that|this))?|think so|guess so|hope so|suppose so|don't mind|accept)|(?:i|we)(?:'d| would) (?:like|love|appreciate) (?:that|it)|"
    r"by all means|feel free|be my guest|you bet|you (?:may|can|should|must)(?: do (?:it|that|so))?|as you (?:like|wish|please|see fit)|if you (?:like|want|must|wish)(?: to)?|make it so|have at it|good idea|"
    r"of course(?: not)?|(?:certainly|absolutely|definitely|surely|probably|maybe|perhaps|preferably|better|rather|i(?:'d| would) rather|i hope|i think|i guess) not|why not|"
    r"let's (?:do|go with|go for|try) (?:it|that|this|so)(?: (?:now|then|today|tomorrow))*|let's (?:not|go(?: ahead)?)|let it be|hold off(?: .*)?|"
    r"not (?:now|yet|today|tonight|tomorrow|at all|really|necessarily|for now|this (?:time|week|month|year)|without .*|before .*|until .*|unless .*|if .*|on .*)|(?:maybe |perhaps )?(?:later|another time|some other time|next time)|"
    r"never(?: ever)?|(?:i |we )?(?:don't|do not)(?: (?:think so|want (?:that|it|to)|bother|do (?:it|that|so)))?|don't you dare|(?:please )?(?:don't|do not) \w+ (?:it|that|this|them|any of (?:it|them))(?: .*)?|under no circumstances|on no account|by no means|"
    r"leave (?:it|them|everything)(?: .*)?|"
    # German
    r"(?:(?:bestätigt|genehmigt|freigegeben)(?: (?:von|durch) .*)?|nimm (?:es|das|den|die|ihn|sie)|alles klar|in ordnung|von mir aus|meinetwegen|auf jeden fall|(?:ja )?mach(?:en sie|t)?(?: (?:das|es|mal|ruhig|doch|so|nur|bitte|gerne?|weiter))*|tu(?:n sie)? (?:das|es)|leg los|nur zu|na klar|nichts dagegen|gute idee|"
    r"(?:noch|lieber|bloß|besser|bitte|jetzt|heute|auf keinen fall|gar|eher|vorerst|mach das|tu das|lass das)? ?nicht|auf (?:gar )?keinen fall|(?:vielleicht )?später|kein(?:e)? (?:problem|einwände)|lass (?:es|das)(?: .*)?|keinesfalls)|"
    # French
    r"(?:bien (?:sûr|entendu)|vas-y|allez-y|avec plaisir|fais-le|faites-le|ça (?:marche|me va)|pas de (?:problème|souci)|c'est (?:bon|d'accord)|je veux bien|tout à fait|bonne idée|"
    r"(?:surtout|pas|certainement|absolument) pas(?: encore| maintenant)?|pas (?:encore|maintenant|aujourd'hui|question|du tout)|plus tard|en aucun cas|jamais)|"
    # Spanish
    r"(?:claro que (?:sí|no)|de acuerdo|por supuesto(?: que no)?|hazlo|hágalo|(?:está|me parece) bien|desde luego|cómo no|dale|no hay problema|sin problema|(?:todavía|aún|ahora|mejor|por ahora) no|no (?:lo hagas|lo haga)|más tarde|ni hablar|de ninguna manera|nunca|jamás)|"
    # Italian, Portuguese
    r"(?:va bene|d'accordo|fallo|lo faccia|procedi|proceda|come no|nessun problema|certo che (?:sì|no)|non ancora|meglio di no|non farlo|più tardi|in nessun caso|mai|"
    r"pode(?: ser| fazer)?|(?:está|tudo) bem|faça isso|com certeza|de acordo|sem problema|ainda não|melhor não|agora não|mais tarde|de jeito nenhum|nunca|não faça isso)|"
    # Dutch, Polish, Russian
    r"(?:doe (?:maar|het|dat)(?: maar)?|(?:is|dat is) goed|prima|geen probleem|(?:nog|liever|beter|nu) niet|in geen geval|nooit|śmiało|proszę(?: bardzo)?|zrób to|jeszcze nie|lepiej nie|później|nigdy|"
    r"давай(?:те)?|можно|делай(?:те)?|можешь|можете|пока нет|ещё нет|не (?:надо|нужно|сейчас|стоит)|лучше не надо|позже|нельзя|никогда|ни в коем случае)"
    r")(?: (?:please|thanks|thank you|bitte|danke|merci|s'il (?:te|vous) plaît|por favor|gracias|grazie|obrigad[oa]|пожалуйста))*"
)
_IT = r"(?:it|them|that|this|those|these|both|everything|things|all of (?:it|them))"
_SO = (
    r"(?: (?:as (?:it|they|is|things)(?: is| are| was| were)?|as-is|where (?:it|they) (?:is|are)|(?:just )?(?:the way|like) (?:it|they|that|this)(?: is| are)?|that way|the same|"
    r"separate(?:ly)?|apart|alone|together|on|off|open|closed|for now|for the moment|in place|in there|here|there|so|unchanged|untouched|then|please|too|instead))*"
)
_WHO_WISHES = (
    r"(?:(?:please|just|then|and|so|but|well|no|i think|i guess|i(?:'d| would)(?: say)?|we(?:'d| would)|you(?:'d| would)|i(?:'d| would)? (?:prefer|like|want) to|i(?:'d| would)? prefer|we should|you should|let's|let us|"
    r"rather|better|best|simply|had better|it(?:'s| is) (?:better|best) to|i(?:'ll| will)|we(?:'ll| will)) )*"
)
#: Things stay as they are, or are put off, or it is left to whoever asks: a verb of keeping or waiting, and what was asked about in a word.
#: Whatever follows comes on top.
KEEPS = re.compile(
    rf"{_WHO_WISHES}(?:keep|leave|hold on to|retain) {_IT}{_SO}|(?:it|they|that|this|those|these) (?:can|should|may|must|could|will) (?:all )?(?:stay|remain)(?: put)?{_SO}|"
    rf"(?:i(?:'d| would)?|we(?:'d| would)?) (?:prefer|like|want) {_IT} (?:separate|apart|as (?:it|they) (?:is|are)|the way (?:it|they) (?:is|are)|kept|unchanged|together)|"
    # Whoever only says "wait" has not decided yet.
    rf"(?:(?:no|well|i think|i(?:'d| would)(?: prefer to)?|we(?:'d| would)|we should|let's|let us|better|rather) )+(?:wait|hold off)(?: (?:with|on) {_IT})?"
    r"(?: (?:a (?:bit|little|while|day|week)|for now|and see|some more|longer|(?:until|till) .+))*|"
    r"i(?:'d| would) (?:rather|prefer|prefer it if|prefer that|rather that) you (?:didn't|did not|don't|not|wouldn't)(?: do (?:it|that|so))?|"
    rf"(?:there(?:'s| is) )?no (?:real )?need(?: (?:to|for (?:it|that|this)|to do (?:it|that|so)))?|(?:(?:it|that|this)(?:'s| is| isn't| is not| won't be| will not be| wouldn't be) )?(?:not )?(?:really )?(?:necessary|needed|required)|"
    rf"(?:i(?:'d| would) )?advise against (?:it|that|this)|(?:i|we)(?:'m|'re| am| are) (?:strongly |really )?(?:against|opposed to) (?:it|that|this)|"
    rf"(?:it|that|this)(?:'d| would) be (?:really |very |so )?(?:great|good|nice|lovely|fine|perfect|helpful|wonderful|kind|fantastic|awesome|ideal|appreciated)|(?:i|we)(?:'m|'re| am| are) (?:all )?(?:for|in favou?r of) (?:it|that|this)|"
    rf"(?:i have |we have |i've )?no objections?(?: (?:to (?:it|that|this)|from me))?|(?:you |we )?(?:might|may) as well|"
    rf"(?:i(?:'ll| will| would|'d)|we(?:'ll| will)) leave (?:it|that|this) (?:up )?to you|(?:do )?(?:what(?:ever)?|however|as|whichever) you (?:think|like|prefer|want|feel|see|consider|deem)(?: (?:is|it's|it|is the))?(?: (?:best|right|fit|necessary|better))?|"
    rf"(?:you|then you)(?: can| may| should)? (?:decide|choose|pick)(?: (?:that|it|this))?|(?:it's |that's |this is )?(?:up to you|your (?:call|choice|decision))|i trust (?:you|your judge?ment)(?: on (?:it|that|this))?|"
    # German
    r"(?:(?:bitte|dann|ich würde|wir würden|ich|wir|lass uns|am besten|besser|lieber) )*(?:behalte|behalten|lass|lasse|lassen|lasst)(?: wir| sie)? (?:es|sie|ihn|das|die|den|dies|alles|beide)(?: (?:lieber|so|mal|bitte|besser|erstmal|vorerst|einfach|doch|an|aus|da|dort|getrennt|wie (?:es|er|sie) (?:ist|sind)))*|"
    r"(?:ich|wir) würden? (?:es|sie|ihn|das|die|den)(?: (?:lieber|eher|so|besser))* (?:lassen|behalten)|(?:das )?(?:ist |wäre |wird )?nicht (?:nötig|notwendig|erforderlich)(?: sein)?|(?:lass uns (?:noch )?(?:warten|abwarten)|warten wir)(?: (?:noch|ab|damit|lieber|etwas|ein bisschen|bis .+))*|"
    r"das wäre (?:sehr |wirklich )?(?:toll|gut|schön|nett|super|prima|klasse|lieb|perfekt)|entscheide? du(?: das)?|(?:das )?(?:entscheidest|bestimmst) du|wie du (?:willst|möchtest|meinst|magst|denkst)|(?:ich bin )?(?:dagegen|dafür)|"
    # French
    r"(?:(?:je|nous) (?:préfère|préférons|préférerais)|mieux vaut|autant|il vaut mieux|on va|je vais) (?:(?:le|la|les|l'|tout|ne pas) ?)+(?:garder|laisser|conserver|attendre|faire)?(?: (?:comme (?:il|elle|ils|elles|ça|c)(?:'?est| est| sont)?|ainsi|tel quel))*|"
    r"(?:laisse|laissez|laissons|garde|gardez|gardons)-(?:le|la|les)(?: (?:comme (?:il|elle|ils|elles|ça)(?: est| sont)?|ainsi|ouvert\w*|fermé\w*))*|(?:ce n'est |c'est )?pas (?:nécessaire|la peine|besoin)|(?:attendons|je préfère attendre|mieux vaut attendre)(?: (?:un peu|encore|encore un peu))?|"
    r"ce serait (?:bien|super|parfait|génial|gentil)|comme (?:tu|vous) (?:le |l')?(?:sens|sentez|veux|voulez|préfères|préférez|penses|pensez)|(?:c'est )?à (?:toi|vous) de (?:voir|décider|choisir)|"
    # Spanish
    r"(?:prefiero|preferimos|preferiría|mejor|será mejor|es mejor) (?:no|esperar|(?:conservar|dejar|guardar|mantener|quedar)(?:lo|la|los|las|me|melo|mela))(?: (?:como está[ns]?|así|donde están?|separad[oa]s|un poco))*|"
    r"(?:déja|deje|dejémos|guárda|consérva|mantén)(?:lo|la|los|las)(?: (?:como está[ns]?|como es|así|donde están?|encendid[oa]|apagad[oa]))*|no (?:hace falta|es necesario)|esperemos(?: (?:un poco|a ver|más))*|sería (?:genial|estupendo|bueno|perfecto|fantástico)|"
    r"(?:lo que|como) (?:tú |usted )?(?:veas?|quieras?|prefieras?|digas?|te parezca|le parezca)|(?:tú decides|decide tú|usted decide|decida usted)"
)
#: Orders what was asked, in a word for any act: whatever is asked for behind it comes on top.
ACTS = re.compile(
    r"(?:.* )?(?:let's (?:do|go)|do (?:it|that|this)|go (?:ahead|for it)|mach (?:das|es)|tu das|leg los|vas-y|allez-y|fais-le|hazlo|adelante|fallo|faça isso|doe (?:het|maar)|zrób to|давай\w*)(?:(?: .*)|$)"
)
#: The same where words are not apart.
UNSPACED = re.compile(
    r"(?:好(?:的|吧|啊|呀)?|可以(?:的|啊|吧)?|行(?:的|啊|吧)?|对(?:的|啊)?|是(?:的|啊)?|没问题|同意|当然(?:可以|好|不)?|请便|请继续|嗯|嗯嗯|"
    r"不|不行|不可以|不要|不用(?:了)?|不必(?:了)?|不同意|不了|先不(?:要|用)?|暂时不(?:要|用)?|还不行|别|千万别|没必要|以后再说|等一下再说|"
    r"お願いします|いい(?:です|ですよ|よ)?|了解(?:です|しました)?|どうぞ|もちろん|まだ(?:です)?|だめ(?:です)?|やめて(?:ください)?|結構です|그래요?|좋아요?|물론(?:이죠)?|안 ?돼요?)[了吧呢啊呀よね。]*"
)
#: Goes on with a condition, an exception or a reason behind a yes.
GOES_ON = re.compile(
    r"(?:but|if|when|once|unless|only|just|as (?:long|soon)|provided|after|before|until|except|on condition|with|without|not|aber|wenn|falls|sobald|nur|erst|außer|ohne|sofern|solange|mais|si|"
    r"quand|dès|seulement|sauf|sans|pero|cuando|sólo|solo|siempre que|salvo|sin|ma|se|quando|appena|tranne|senza|mas|só|desde que|sem|maar|als|zodra|alleen|mits|zonder|ale|jeśli|tylko|"
    r"но|если|когда|только|после|без)(?!\w)|但|不过|如果|只要|等|ただ|でも"
)
#: Holds a yes back until something is so, without saying it: "only if Anna agrees", "not before noon".
HOLDS_BACK = re.compile(
    r"(?:yes |ok |okay |sure |but |and |aber |mais |pero )*(?:only (?:if|when|once|after|before|with|without|in|on|at|for|from|the|those|these|one|two|half|part|\d)|(?:not|never) (?:before|until|without|unless|if)|"
    r"(?:nur|erst|nicht) (?:wenn|falls|nach|bevor|mit|ohne|vor|ab|am|um|für|die|den|das|dann|sobald|morgen)|(?:seulement|uniquement|que|pas) (?:si|quand|après|avant|avec|sans|pour)|"
    r"(?:sólo|solo|solamente|no) (?:si|cuando|después|antes|con|sin|para|tras)|(?:solo|soltanto|non) (?:se|quando|dopo|prima|con|senza|per)|(?:só|somente|não|apenas) (?:se|quando|depois|antes|com|sem|para)|"
    r"(?:alleen|pas|niet) (?:als|wanneer|na|voor|met|zonder)|(?:tylko|nie|dopiero) (?:jeśli|kiedy|po|przed|gdy|bez)|(?:только|не) (?:если|когда|после|раньше|без|до|с))(?!\w)|(?:只有|除非|等).+"
)
#: Before what is allowed, asked for or forbidden.
FRAMES = re.compile(
    r"(?:(?:please|just|then|so|now|and|but|yes|ok|okay|well|first|simply|also|go ahead and|feel free to|you (?:can|may|should|could|must|might)|i(?:'d| would) like you to|i (?:want|need) you to|"
    r"i(?:'d| would) (?:say|suggest)|let's|let us|we (?:can|should|could)|don't|do not|never|not|only|bitte|dann|jetzt|(?:du|ihr) (?:kannst|darfst|sollst|könnt|dürft)|sie (?:können|dürfen|sollen)|"
    r"tu peux|vous pouvez|on peut|puedes?|por favor|puoi|può|per favore|(?:você )?pode|podes|je (?:mag|kunt|kan)|u (?:mag|kunt)|maar|możesz|proszę|можешь|можете|пожалуйста|давай|"
    r"ne|no|non|não|nie|не|niet|lo|la|los|las|le|les|l'|se|te|me)(?!\w)\s*)*"
)
#: Says nothing about whether, and may stand before what does.
INTERJECTIONS = words(
    "hm hmm hmmm oh ah well so wait stop thanks thank you hey hi hello great good nice perfect cool wow uh um er sorry actually honestly look listen hold on a second moment one and but right ok okay alright then "
    "ach na naja also gut danke super tja moment warte mal bon ben alors merci bah attends bueno pues gracias hombre espera oye allora grazie beh aspetta então obrigado bem espera nou goed wacht dank je ну так спасибо подожди 嗯 那 谢谢"
)
