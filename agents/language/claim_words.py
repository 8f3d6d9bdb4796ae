"""What single words do to a statement: deny it, tell how it ended, or leave it open, in most languages of conversations.

A word that does two things stands where it does more harm if it is missed.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

from tailrace.agents.language.word_lists import words


class Does(Enum):
    """What a word does to the statement that it stands in."""

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


class Effect(NamedTuple):
    """What a word does, with the scale that it stands on, and the end of it."""

    does: Does
    of: str = ""
    sign: int = 0


#: In front of what is done, where that is denied.
_DENIES_NEXT = "not never cannot dont hardly não non nie не немає"
#: Beside or behind what is denied.
_DENIES_ALL = "nicht niet inte ikke pas değil لم لا ليس لن לא אין नहीं"
#: In front of what something goes without.
WITHOUT: Final = words("without ohne sans sin sem senza zonder bez без utan uden")
#: In front of a thing that is denied, and not of what is done: any word of it may be what is meant.
NOT_HEADED: Final = WITHOUT | words(
    "no nobody nothing none neither nor kein keine keinen keinem keiner keines niemand nichts weder aucun aucune rien ningún ninguna "
    "ningun nada nadie nenhum nenhuma ninguém nessun nessuna niente geen żaden żadna nikt нет никто ничего ingen inga inget"
)
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

#: Between statements of one sentence.
_JOINS = (
    "and but because so while whereas although though since which why und aber weil sondern während obwohl denn et mais car tandis y e pero porque "
    "mientras aunque ma perché mentre mas enquanto maar omdat terwijl i ale ponieważ и но потому och men eftersom ve ama"
)


def _filled() -> dict[str, Effect]:
    """One table of all of them. Later rows win."""
    table: dict[str, Effect] = {}
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
