"""Forms of English verbs that don't begin as the verb does, and say that it was done.

Other languages have them too; their verbs are seldom shared by a claim.
"""

from typing import Final

_FORMS: Final = (
    "send:sent run:ran take:took,taken give:gave,given find:found keep:kept make:made leave:left lose:lost build:built write:wrote,written "
    "begin:began,begun break:broke,broken buy:bought bring:brought choose:chose,chosen draw:drew,drawn drive:drove,driven fall:fell,fallen "
    "grow:grew,grown hold:held know:knew,known pay:paid see:saw,seen sell:sold show:shown speak:spoke,spoken tell:told think:thought "
    "throw:threw,thrown wear:wore,worn go:went,gone come:came hide:hid,hidden spend:spent teach:taught catch:caught lead:led mean:meant "
    "lend:lent meet:met win:won bind:bound feel:felt hear:heard stand:stood strike:struck eat:ate,eaten drink:drank,drunk ride:rode,ridden "
    "ring:rang,rung sing:sang,sung sink:sank,sunk shoot:shot steal:stole,stolen tear:tore,torn wake:woke,woken shake:shook,shaken "
    "forget:forgot,forgotten freeze:froze,frozen fly:flew,flown fight:fought seek:sought sleep:slept sweep:swept deal:dealt dig:dug "
    "hang:hung feed:fed sit:sat bend:bent swim:swam,swum get:got,gotten do:did,done say:said"
)
#: The verb of each such form.
IRREGULAR: Final = {
    form: verb for verb, _, forms in (one.partition(":") for one in _FORMS.split()) for form in forms.split(",")
}
