"""Keys for artifacts: read from settings or a file, refused when wrong, shown nowhere."""

import base64
from pathlib import Path

import pytest

from tailrace.schemas.errors import ConfigError
from tailrace.streams.artifacts.keyring import make_keyring
from tailrace.streams.settings.origins import all_settings
from tailrace.streams.settings.settings import ArtifactSettings, load_settings

ONE, TWO = (base64.b64encode(bytes([number]) * 32).decode() for number in (7, 9))


def settings(**values: object) -> ArtifactSettings:
    return load_settings(artifacts=values).artifacts


pytestmark = pytest.mark.usefixtures("bare_folder")


def test_without_keys_nothing_is_encrypted() -> None:
    assert make_keyring(settings()).key_id is None


@pytest.mark.parametrize("separator", [" ", ",", "\n", ", \n"])
def test_keys_are_read_however_they_are_separated(separator: str) -> None:
    ring = make_keyring(settings(keys=f"a:{ONE}{separator}b:{TWO}\n", key_id="b"))
    assert (ring.key_id, sorted(ring.keys)) == ("b", ["a", "b"])


def test_a_single_key_needs_no_name_to_write_with() -> None:
    assert make_keyring(settings(keys=f"a:{ONE}")).key_id == "a"


def test_keys_of_a_file_and_of_the_setting_are_one_ring(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"a:{ONE}\n")
    ring = make_keyring(settings(keys_file=file, keys=f"b:{TWO}", key_id="b"))
    assert sorted(ring.keys) == ["a", "b"]


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"keys": ONE}, "id:base64"),
        ({"keys": f"a:{ONE[:-8]}"}, "32 bytes"),
        ({"keys": f"a:{ONE} b:{TWO}!"}, "number 2"),
        ({"keys": f"a b:{ONE}"}, "number 1"),
        ({"keys": ""}, "id:base64"),
        ({"keys": f"a:{ONE} a:{TWO}", "key_id": "a"}, "twice"),
        ({"keys": f"a:{ONE} b:{TWO}"}, "artifacts.key_id"),
        ({"keys": f"a:{ONE}", "key_id": "c"}, "artifacts.key_id = 'c'"),
        ({"key_id": "c"}, "there are none"),
        ({"keys_file": "nowhere"}, "artifacts.keys_file"),
    ],
)
def test_wrong_keys_are_refused_and_not_shown(values: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError) as refused:
        make_keyring(settings(**values))
    assert word in str(refused.value)
    for key in (ONE, TWO):
        assert key[:8] not in f"{refused.value} {vars(refused.value)} {refused.value.__cause__}"


def test_keys_are_hidden_wherever_settings_and_rings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_ARTIFACTS__KEYS", f"a:{ONE}")
    loaded = load_settings()
    shown = f"{loaded!r} {loaded} {all_settings(loaded)} {make_keyring(loaded.artifacts)}"
    assert make_keyring(loaded.artifacts).key_id == "a"
    assert ONE[:8] not in shown


#: Variables that are wrong, what the error has to say, and what it must not show.
WRONG = [
    ("TAILRACE_ARTIFACTS__URL", "ftp://bucket", "s3, gs, az, file", "ftp"),
    ("TAILRACE_ARTIFACTS__URL", "s3://", "bucket", "None"),
    ("TAILRACE_ARTIFACTS__URL", "s3://me:hunter2@bucket/x", "without credentials", "hunter2"),
    ("TAILRACE_ARTIFACTS__URL", "az://bucket/x?sig=hunter2", "without credentials", "hunter2"),
    ("TAILRACE_ARTIFACTS__OPTIONS", '{"aws_secret_access_key": "hunter2"}', "aws_secret_access_key", "hunter2"),
    ("TAILRACE_ARTIFACTS__KEY", "a:hunter2", "did you mean keys?", "hunter2"),
    ("TAILRACE_ARTIFACTS", "hunter2", "", "hunter2"),
]


@pytest.mark.parametrize(("variable", "value", "word", "hidden"), WRONG)
def test_wrong_settings_are_refused_without_what_may_be_secret(
    variable: str, value: str, word: str, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as refused:
        load_settings()
    assert word in str(refused.value)
    assert hidden not in str(refused.value)


def test_a_url_and_its_options_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILRACE_ARTIFACTS__URL", "s3://bucket/prefix")
    monkeypatch.setenv("TAILRACE_ARTIFACTS__OPTIONS", '{"region": "eu-central-1"}')
    artifacts = load_settings().artifacts
    assert (artifacts.url, artifacts.options) == ("s3://bucket/prefix", {"region": "eu-central-1"})
