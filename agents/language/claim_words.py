"""What single words do to a statement: deny it, tell how it ended, leave it open, or say which of two things is which.

For holding a claim against the events that it cites, in the languages that most conversations are in. What stands in no list is what
a statement is about. A word that does two things stands where it does more harm if it is missed.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

from tailrace.agents.language.lexicon import FUNCTION_WORDS, MONTHS
from tailrace.agents.language.word_lists import words


class Does(Enum):
    """What a word does to the statement that it stands in."""

    #: Says nothing by itself.
    FILLS = auto()
    #: Denies what follows; denies all around it.
    DENIES_NEXT = auto()
    DENIES_ALL = auto()
    #: Denies what follows, as what does not hold there; the same as a condition.
    EXCEPTS = auto()
    UNLESS = auto()
    #: Says without a denial that something is not there, or is all that is.
    LACKS = auto()
    #: One end of a scale: it went well or badly, up or down.
    WEIGHS = auto()
    #: It is going to happen; it may be so, or be done.
    PLANS = auto()
    SUPPOSES = auto()
    #: It has to be done; it is what something waits for.
    DUE = auto()
    AWAITS = auto()
    #: Begins another statement of the same sentence.
    JOINS = auto()
    #: Says which of two things is which.
    RELATES = auto()
    #: A number that is written out.
    COUNTS = auto()


class Effect(NamedTuple):
    """What a word does, with the scale, the relation or the number that it stands for, and the end of the scale."""

    does: Does
    of: str = ""
    sign: int = 0


#: Besides what says nothing of a subject in any statement: verbs that only help others.
_FILLERS = (
    "false now again still yet well also already about against there then it its that this these those who whom whose "
    "d l n j qu konnte konnten pu pudo pudieron kon konden мог могла mógł mogła "
    "habe hast hat haben hatte hatten wurde wurden worden wird gewesen war waren sein bin ai as a avons avez ont été était étaient être suis "
    "sommes he ha hemos han había fue fueron sido está están estaba era eran ser estar ho hai abbiamo hanno aveva stato stata stati state "
    "essere foi foram estão estava tinha heeft hebben had werd werden wordt geworden został została zostało zostały było była były był "
    "был была было были быть har hade blev blivit "
    "noch schon jedoch auch toujours encore déjà aún todavía ya ancora già ainda já nog reeds jeszcze już ещё уже ännu redan"
)
#: In front of what something goes without.
WITHOUT: Final = words("without ohne sans sin sem senza zonder bez без utan uden")
#: In front of what is done, where that is denied.
_DENIES_NEXT = "not never cannot dont hardly não non nie не немає"
#: Beside or behind what is denied.
_DENIES_ALL = "nicht niet inte ikke pas değil لم لا ليس لن לא אין नहीं"
#: In front of a thing that is denied, and not of what is done: any word of it may be what is meant.
NOT_HEADED: Final = WITHOUT | words(
    "no nobody nothing none neither nor kein keine keinen keinem keiner keines niemand nichts weder aucun aucune rien ningún ninguna "
    "ningun nada nadie nenhum nenhuma ninguém nessun nessuna niente geen żaden żadna nikt нет никто ничего ingen inga inget"
)
#: Before what something stands for and is not.
INSTEAD: Final = words("instead rather statt anstatt anstelle lieu plutôt zamiast вместо")
#: Other ways to deny: nobody knows what of a statement they deny.
_LACKS = (
    "missing lack lacks lacked lacking absent nil null empty unset fehlt fehlen fehlte fehlend fehlende manque manquent manquant falta faltan "
    "faltaba mancano manca mancante faltam ontbreekt ontbreken brak brakuje отсутствует отсутствуют saknas "
    "impossible unmöglich imposible impossível impossibile onmogelijk niemożliwe невозможно "
    "only nur seulement solo sólo solamente apenas soltanto alleen tylko только"
)
#: All but what follows; or all if what follows is not so.
_EXCEPTS = "except außer ausgenommen sauf hormis excepto salvo exceto tranne eccetto behalve oprócz кроме utom"
_UNLESS = "unless tenzij chyba"
#: Inside of what is written without spaces.
UNSPACED_DENIALS: Final = (
    *("没有", "沒有", "没", "沒", "未能", "尚未", "未", "不", "无法", "無法"),
    *("ていません", "ていない", "ません", "なかった", "ない", "않", "못", "ไม่"),
)
#: Inside of it, too, and says nothing by itself.
UNSPACED_FILLERS: Final = ("已经", "已經", "正在", "了", "的", "を", "は", "が")
#: Behind a denial that denies nothing.
NOT_DENIED: Final = words("only just nur bloß seulement solo sólo solamente apenas soltanto alleen tylko только bara")

#: Both ends of scales: what is told of one end must not be told of the other.
_SCALES: Final[dict[tuple[str, int], str]] = {
    (
        "outcome",
        1,
    ): "pass passes passed passing succeed succeeds succeeded success successful successfully works worked working work ok "
    "green erfolgreich geklappt funktioniert funktionieren gelungen bestanden réussi réussie réussit succès fonctionne "
    "fonctionnent éxito exitosa exitoso exitosamente funciona funcionan funcionó riuscito riuscita successo funzionano "
    "funzione sucesso funcionou geslaagd gelukt werkt werken działa powiodło powiodła udało успешно успешна работает "
    "работают удалось lyckades fungerar granted grants gewährt bewilligt accordé accordée concedido concedió concesso "
    "accept accepts accepted confirmed confirms angenommen bestätigt akzeptiert accepté "
    "acceptée confirmé aceptó aceptado aceptada confirmado accettato accettata confermato aceito geaccepteerd przyjęty "
    "przyjęto принят приняла принял принято",
    (
        "outcome",
        -1,
    ): "fail fails failed failing failure failures error errors broken breaks crash crashes crashed aborted fehlgeschlagen "
    "fehlschlag gescheitert scheitert schlug fehler abgebrochen kaputt échoué échouée échec échoue erreur erreurs falló "
    "fallo falla fallado fracasó fracaso errores fallito fallita fallisce errore falhou falha erro erros mislukt mislukte "
    "fout fouten niepowodzenie błąd провалилась провалился провалилось провал сбой ошибка ошибки неудачно misslyckades fel "
    "reject rejects rejected declined declines refused refuses denied abgelehnt verweigert rejeté rejetée refusé refusée "
    "rechazó rechazado rechazada rifiutato rifiutata rejeitado recusou geweigerd afgewezen odrzucony odrzucono отклонён "
    "отклонил отклонено",
    (
        "way",
        1,
    ): "rose rises risen rising increase increased increases grew grown gestiegen steigt stieg erhöht augmenté augmente subió "
    "subieron sube aumentó aumentaron salito aumentato subiu aumentou gestegen stijgt wzrosła wzrósł вырос выросла выросли "
    "увеличилось",
    (
        "way",
        -1,
    ): "fell falls fallen falling decrease decreased decreases shrank gesunken sinkt sank baissé baisse diminué bajó bajaron "
    "baja disminuyó sceso diminuito caiu diminuiu gedaald daalt spadła spadł упал упала снизился снизилась уменьшилось",
    (
        "gate",
        1,
    ): "enabled enable enables opened unlocked activated allowed aktiviert geöffnet activé activée ouvert activado activada "
    "abierto attivato aperto ativado aberto ingeschakeld geopend włączony включён включена открыт",
    (
        "gate",
        -1,
    ): "disabled disable disables closed locked blocked blocks deactivated deaktiviert geschlossen gesperrt blockiert "
    "désactivé désactivée fermé bloqué desactivado desactivada cerrado bloqueado disattivato chiuso bloccato desativado "
    "fechado uitgeschakeld gesloten wyłączony отключён отключена закрыт заблокирован",
    (
        "part",
        1,
    ): "include includes included including enthält enthalten inclut incluye incluyen include inclui bevat zawiera включает",
    (
        "part",
        -1,
    ): "exclude excludes excluded excluding omits omitted ausgeschlossen exclut exclu excluye excluido esclude exclui",
    (
        "run",
        1,
    ): "started starts begins began begun resumed gestartet startete begonnen démarré commencé arrancó comenzó empezó avviato iniziato "
    "começou gestart begonnen запущен началась начался",
    (
        "run",
        -1,
    ): "stopped stops halted ceased paused gestoppt stoppte angehalten gestopt arrêté arrêtée detuvo paró fermato fermata ferma parou "
    "zatrzymany остановлен остановлена остановился",
    (
        "stay",
        1,
    ): "added adds hinzugefügt ajouté ajoutée añadió añadido aggiunto adicionado toegevoegd dodano добавлен добавлено",
    (
        "stay",
        -1,
    ): "removed removes deleted deletes entfernt gelöscht supprimé supprimée eliminó eliminado borrado rimosso eliminato "
    "removido verwijderd usunięto удалён удалено удалена",
}
#: Ends of the first scale in what is written without spaces.
UNSPACED_SIGNS: Final = (
    *(("成功", 1), ("通过", 1), ("通過", 1), ("正常", 1), ("성공", 1), ("สำเร็จ", 1)),
    *(("失败", -1), ("失敗", -1), ("出错", -1), ("错误", -1), ("エラー", -1), ("실패", -1), ("ล้มเหลว", -1)),
)
OUTCOME: Final = "outcome"

_PLANS = (
    "will shall planned planning intend intends upcoming i'll we'll he'll she'll they'll it'll werde geplant plane "
    "será serán sarà saranno seront serão vais allons prévu prévue prévois voy vamos planeo previsto vou planejo zal zullen ga będę będzie "
    "planuję буду будет будем "
    "планирую собираюсь pianifico intendo"
)
#: It has to be done, or is going on: no word of these says that it was.
_DUE = (
    "must should ought muss müssen musst soll sollen sollte sollten wird doit doivent devra devront faut debe deben deberá deve devono devem "
    "deverá bisogna moet moeten musi muszą należy trzeba должен должна должно должны нужно надо следует måste skall"
)
#: Before what something waits for: that is not yet so.
_AWAITS = "until till bis sobald jusqu dès hasta finché appena zodra totdat dopóki пока"
_SUPPOSES = (
    "would could might may maybe perhaps possibly probably presumably suspect suspects suspected guess suppose assume if whether "
    "i'd we'd könnte könnten würde würden vielleicht vermutlich wohl vermute wenn falls ob pourrait pourrais peut-être probablement "
    "soupçonne si podría podrían quizá quizás tal vez probablemente sospecho forse potrebbe potrebbero probabilmente sospetto talvez "
    "poderia provavelmente suspeito misschien zou zouden waarschijnlijk vermoed może możliwe prawdopodobnie jeśli если бы возможно "
    "наверное вероятно kanske skulle kunde"
)
#: With these, a claim says itself that something is open, planned, asked or offered.
OPEN_WORDS: Final = words(
    "open pending planned proposed proposes proposal suggested suggests suggestion asked asks question questions offered offers offer option "
    "options optional todo unclear uncertain unconfirmed considered considering idea ideas idee ideen idée idées request requested undecided possible recommended recommends recommendation preference prefers discussed "
    "due scheduled announced expected provided depends angekündigt annoncé anunciado annunciato fällig vorgesehen vorausgesetzt programado programada "
    "yet can to-do offen geplant vorgeschlagen vorschlag frage fragen unklar angeboten möglich kann question proposé proposée ouvert "
    "ouverte possible peut prévu abierto abierta pendiente propuesto propuesta pregunta posible puede planeado aperto aperta proposto "
    "proposta domanda possibile può aberto proposto pergunta possível pode voorgesteld vraag mogelijk kan propozycja pytanie możliwe "
    "предложено вопрос возможно может"
)
#: Of these, those that also say how something is: "the port is open".
STATES: Final = words("open offen ouvert ouverte abierto abierta aperto aperta aberto")
#: Beside a denial: it may still be done.
NOT_YET: Final = words("yet still noch encore aún todavía ancora ainda nog jeszcze ещё ännu")
#: At the beginning of a sentence: all that is said in it holds only then.
CONDITIONS: Final = words("if unless wenn falls sofern si se jeśli если indien")
#: What a claim calls the text that it has something from.
CARRIERS: Final = words(
    "page pages site website mail email e-mail message output log text file document note notes comment readme tool seite nachricht ausgabe "
    "datei protokoll courriel fichier sortie página correo mensaje archivo salida pagina messaggio uscita bericht bestand wiadomość strona "
    "письмо страница файл"
)
#: At the beginning of a claim: it says itself when it holds.
OCCASIONS: Final = words(
    "with when whenever where during bei mit quand lorsque avec con cuando quando bij met przy kiedy при когда"
)
#: In what is written without spaces: it is going to be, or may be.
UNSPACED_OPEN: Final = (
    "将",
    "將",
    "计划",
    "計画",
    "打算",
    "可能",
    "也许",
    "如果",
    "もし",
    "つもり",
    "予定",
    "かも",
    "예정",
    "만약",
    "吗",
    "嗎",
)

#: At the beginning of a clause: it goes on about what was said before it.
POINTING: Final = words(
    "which that this it das dies dieses es was ce cela ça eso esto lo ciò questo isso isto dat dit to это"
)
#: Anywhere in a sentence: it is about what the one before it is about.
REFERRING: Final = POINTING | words(
    "its he she him her his hers they them their theirs these those there here er sie ihn ihm ihr ihre ihrem ihren diese dieser dieses dort dafür "
    "il elle ils elles son sa ses leur leurs celui-ci él ella ellos ellas su sus este esta lui lei loro suo sua ele ela eles elas seu hij zij "
    "hun haar on ona oni jego jej он она они её их"
)
#: Between statements of one sentence.
_JOINS = (
    "and but because so while whereas although though since which why und aber weil sondern während obwohl denn et mais car tandis y e pero porque "
    "mientras aunque ma perché mentre mas enquanto maar omdat terwijl i ale ponieważ и но потому och men eftersom ve ama"
)

#: Words that say which of two things is which, by what they say of the thing behind them.
_RELATES: Final[dict[str, str]] = {
    "origin": "from von aus depuis desde dal dalla vanuit из от från fra",
    "target": "to into onto towards toward nach auf zum zur vers hacia naar в на till til",
    "of": "of de du des da del della di van",
    "at": "à al alla in im en em op på",
    "left": "instead over than rather statt anstatt als lieu que anstelle plutôt zamiast niż вместо чем än",
    "earlier": "after nachdem après después dopo depois após po после efter",
    "later": "before bevor vor avant antes prima voor przed перед до före",
    "exchange": "for für pour para por per voor za на mot",
    "means": "with mit durch avec con met z",
    "agent": "by par door przez",
    "measure": "as twice half double wie autant tanto",
}
#: What stands behind one of them stands before the other.
OPPOSITE: Final = {"origin": "target", "target": "origin", "earlier": "later", "later": "earlier"}

_NUMBERS: Final = {
    "2": "two zwei deux dos dois duas twee dwa dwie два две två",
    "3": "three drei trois tres tre três drie trzy три",
    "4": "four vier quatre cuatro quattro quatro cztery четыре fyra",
    "5": "five fünf cinq cinco cinque vijf pięć пять fem",
    "6": "six sechs seis zes sześć шесть",
    "7": "seven sieben siete sette sete zeven siedem семь sju",
    "8": "eight acht huit ocho otto oito osiem восемь åtta",
    "9": "nine neun neuf nueve nove negen dziewięć девять nio",
    "10": "ten zehn dix diez dieci dez tien dziesięć десять tio",
    "11": "eleven undici",
    "12": "twelve zwölf douze doce dodici doze twaalf dwanaście двенадцать tolv",
    "15": "fifteen fünfzehn quinze quince quindici vijftien",
    "20": "twenty zwanzig vingt veinte venti vinte twintig dwadzieścia двадцать tjugo",
    "30": "thirty dreißig trente treinta trenta trinta dertig trzydzieści тридцать trettio",
    "40": "forty vierzig quarante cuarenta quaranta quarenta veertig сорок",
    "50": "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig pięćdziesiąt пятьдесят",
    "100": "hundred hundert cien cento honderd сто hundra",
    "1000": "thousand tausend duizend tysiąc тысяча tusen",
}

#: Units by what they mean. What counts is that two are not the same; letters that are written large stay so.
_UNITS: Final[dict[str, str]] = {
    "%": "% percent procent prozent pourcent % por ciento cento процент процента процентов",
    "s": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi secondo seconden sekund секунд секунды",
    "ms": "ms millisecond milliseconds millisekunden millisecondes milisegundos мс",
    "min": "min mins minute minutes minuten minuto minutos minuti minut минут минуты",
    "h": "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur godzin часов часа час",
    "day": "day days tag tage tagen jour jours día días giorno giorni dia dias dag dagen dni день дня дней",
    "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken tygodni недель недели",
    "month": "month months monat monate monaten mois mes meses mese mesi maand maanden miesięcy месяцев месяца",
    "year": "year years jahr jahre jahren an ans année années año años anno anni ano anos jaar lat лет года",
    "b": "B byte bytes",
    "kb": "KB kB kilobyte kilobytes KiB",
    "mb": "MB megabyte megabytes MiB",
    "gb": "GB gigabyte gigabytes GiB",
    "tb": "TB terabyte terabytes TiB",
    "v": "V volt volts",
    "a": "A amp amps ampere amperes",
    "w": "W watt watts",
    "kw": "kW kilowatt kilowatts",
    "hz": "Hz hertz",
    "g": "g gram grams gramm grammes gramos grammi",
    "mg": "mg milligram milligrams milligramm",
    "kg": "kg kilo kilos kilogram kilograms kilogramm",
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters zentimeter",
    "m": "m metre metres meter meters mètres metros metri",
    "km": "km kilometre kilometres kilometer kilometers kilomètres kilómetros",
    "l": "l L litre litres liter liters litros litri",
    "ml": "ml mL millilitre millilitres milliliter milliliters",
    "°c": "°C celsius",
    "°f": "°F fahrenheit",
    "usd": "$ USD dollar dollars dólares",
    "eur": "€ EUR euro euros",
    "gbp": "£ GBP pound pounds",
    "jpy": "¥ JPY yen",
    "chf": "CHF franken",
    "token": "token tokens",
}


def _filled() -> dict[str, Effect]:
    """One table of all of them. Later rows win."""
    table = {word: Effect(Does.FILLS) for word in FUNCTION_WORDS - MONTHS if not word.endswith("n't")}
    table |= {word: Effect(Does.FILLS) for word in words(_FILLERS)}
    for name, row in _RELATES.items():
        table |= {word: Effect(Does.RELATES, name) for word in words(row)}
    for number, row in _NUMBERS.items():
        table |= {word: Effect(Does.COUNTS, number) for word in words(row)}
    for (scale, sign), row in _SCALES.items():
        table |= {word: Effect(Does.WEIGHS, scale, sign) for word in words(row)}
    for does, row in (
        (Does.JOINS, _JOINS),
        (Does.LACKS, _LACKS),
        (Does.PLANS, _PLANS),
        (Does.SUPPOSES, _SUPPOSES),
        (Does.DENIES_ALL, _DENIES_ALL),
        (Does.DENIES_NEXT, _DENIES_NEXT),
        (Does.EXCEPTS, _EXCEPTS),
        (Does.UNLESS, _UNLESS),
        (Does.DUE, _DUE),
        (Does.AWAITS, _AWAITS),
    ):
        table |= {word: Effect(does) for word in words(row)}
    return table | {word: Effect(Does.DENIES_NEXT) for word in NOT_HEADED}


#: What each word does, in small letters.
EFFECTS: Final = _filled()
#: The one name of each unit, as it is written.
UNITS: Final = {word: unit for unit, row in _UNITS.items() for word in row.split()}
