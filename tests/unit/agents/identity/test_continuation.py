"""A request continues a thread only from its head."""

from tailrace.agents.identity.chain import Link, Scope, chain_of
from tailrace.agents.identity.continuation import ThreadHead, continuation_of
from tailrace.schemas.providers.formats import read_native
from tailrace.schemas.records.message import Format

SCOPE = Scope(tenant="default", key_hash="k", dialect="openai.chat")


def chain(*texts: str) -> tuple[Link, ...]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]
    return chain_of(SCOPE, [read_native(Format.OPENAI_CHAT, message) for message in messages])


def heads(**ends: Link) -> dict[str, list[ThreadHead]]:
    known: dict[str, list[ThreadHead]] = {}
    for thread, link in ends.items():
        known.setdefault(link.id, []).append(ThreadHead(thread, link.harness))
    return known


def in_folder(folder: str) -> str:
    return f"Fix it. <environment_context>{folder}</environment_context>"


def test_a_request_adds_what_stands_behind_the_head() -> None:
    links = chain("one", "two", "three")

    found = continuation_of(links, heads(thread=links[1]))

    assert (found.thread, found.head, found.next_head, found.added) == ("thread", links[1], links[2], links[2:])


def test_a_request_that_is_sent_again_adds_nothing() -> None:
    links = chain("one", "two", "three")

    found = continuation_of(links, heads(thread=links[2]))

    assert (found.thread, found.added) == ("thread", ())


def test_an_edited_turn_begins_a_thread() -> None:
    assert continuation_of(chain("one", "two", "other"), heads(thread=chain("one", "two", "three")[2])).thread is None


def test_agents_that_are_asked_the_same_in_other_folders_share_no_thread() -> None:
    assert continuation_of(chain(in_folder("b")), heads(of_a=chain(in_folder("a"))[0])).thread is None
    assert continuation_of(chain(in_folder("a")), heads(of_a=chain(in_folder("a"))[0])).thread == "of_a"


def test_of_threads_that_end_alike_the_one_of_the_same_harness_is_continued() -> None:
    ends = {f"of_{name}": chain(in_folder(name), "Done.")[1] for name in ("a", "b")}

    assert continuation_of(chain(in_folder("b"), "Done.", "And now?"), heads(**ends)).thread == "of_b"
    assert continuation_of(chain(in_folder("c"), "Done.", "And now?"), heads(**ends)).thread is None


def test_a_harness_that_renews_its_texts_continues_the_only_thread_that_a_model_answered() -> None:
    answered = heads(thread=chain(in_folder("monday"), "Done.")[1])

    assert continuation_of(chain(in_folder("tuesday"), "Done.", "And now?"), answered).thread == "thread"
