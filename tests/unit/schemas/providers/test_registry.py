"""Every provider stands behind one record, and nobody but the registry names its folder."""

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace

from tailrace.schemas.providers.check import violations
from tailrace.schemas.providers.conversion import carry
from tailrace.schemas.providers.formats import detect_format, read_native, write_context
from tailrace.schemas.providers.provider import Provider
from tailrace.schemas.providers.registry import PROVIDERS
from tailrace.schemas.providers.requests import request_of
from tailrace.schemas.providers.tools import tool_definitions
from tailrace.schemas.records.message import Format, Message
from tailrace.schemas.records.parts import TextPart, ToolCallPart, ToolCallResponsePart

ROOT = Path(__file__).resolve().parents[4]
PACKAGE = "tailrace.schemas.providers"
FOLDERS = sorted(path.parent.name for path in (ROOT / "schemas" / "providers").glob("*/__init__.py"))
REGISTRY = ROOT / "schemas" / "providers" / "registry.py"
APIS = [provider for provider in PROVIDERS.values() if provider.format != Format.TAILRACE]

TALK = [
    Message(role="system", parts=(TextPart(content="Be brief."),)),
    Message(role="user", parts=(TextPart(content="Read it."),)),
    Message(role="assistant", parts=(ToolCallPart(id="call_1", name="read", arguments={"path": "a"}),)),
    Message(role="tool", parts=(ToolCallResponsePart(id="call_1", response="text"),)),
    Message(role="user", parts=(TextPart(content="Thanks."),)),
]


def imported_folders(file: Path) -> set[str]:
    """Return the folders of providers from which a file imports."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(PACKAGE):
            modules.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names if alias.name.startswith(PACKAGE))
    return {module.removeprefix(f"{PACKAGE}.").split(".")[0] for module in modules} & set(FOLDERS)


def test_the_registry_names_every_folder_of_a_provider() -> None:
    assert imported_folders(REGISTRY) == set(FOLDERS)
    assert len(FOLDERS) == len(APIS)


def test_nobody_else_names_the_folder_of_a_provider_not_even_another_provider() -> None:
    for top in ("schemas", "agents", "streams", "ops"):
        for file in (ROOT / top).rglob("*.py"):
            allowed = set(FOLDERS) if file == REGISTRY else {file.parent.name}
            assert imported_folders(file) <= allowed, file


def test_a_record_stands_under_its_own_format() -> None:
    assert all(provider.format is name for name, provider in PROVIDERS.items())
    assert set(PROVIDERS) == set(Format)


@pytest.mark.parametrize("provider", APIS, ids=lambda provider: provider.format)
def test_what_a_provider_is_asked_with_it_takes_and_reads_again(provider: Provider) -> None:
    request = request_of(TALK, provider.format)
    assert violations(request, provider.format) == []
    assert isinstance(request[provider.list_key], list)

    again = [provider.read_message(item) for item in write_context(TALK, provider.format)]
    assert [call for message in again for call in message.call_ids] == ["call_1"]
    assert [answer for message in again for answer in message.answered_ids] == ["call_1"]
    assert tool_definitions(provider.format)


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=lambda provider: provider.format)
def test_a_bare_message_of_a_provider_is_read_as_what_it_says(provider: Provider) -> None:
    if provider.format is Format.TAILRACE:
        assert detect_format({"role": "user", "parts": []}) is Format.TAILRACE
        return
    message = read_native(provider.format, provider.bare_message("user", "hi"))
    assert [part.content for part in message.parts if isinstance(part, TextPart)] == ["hi"]


def test_a_provider_needs_no_more_than_its_required_fields() -> None:
    chat = PROVIDERS[Format.OPENAI_CHAT]
    smallest = Provider(
        format=chat.format,
        read_message=chat.read_message,
        write_messages=chat.write_messages,
        request=chat.request,
        api=chat.api,
        is_shown_by=chat.is_shown_by,
        list_key=chat.list_key,
    )
    assert smallest.request(TALK, carry) == request_of(TALK, chat.format)
    answer = ToolCallResponsePart(id="a", response=[1])
    assert smallest.answer_parts(answer) == (TextPart(content="[1]"),)
    assert not smallest.is_error(answer)
    assert smallest.is_error(replace(answer, extra={"is_error": True}))
    assert not smallest.is_bound({"type": "thinking"})
    assert not smallest.lacks_place_for({"content": [{"type": "image_url"}]})
    assert smallest.define_tools([]) == []
    assert smallest.appended([{"a": 1}], {"b": 2}) == [{"a": 1}, {"b": 2}]
