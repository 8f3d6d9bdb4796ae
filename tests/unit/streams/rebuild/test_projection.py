"""Making the projection again: not while workers write into the old one."""

from pathlib import Path

import pytest

from tailrace.schemas.errors import Unavailable
from tailrace.streams.rebuild.projection import rebuild
from tailrace.streams.settings.settings import Settings, load_settings
from tailrace.streams.summarizer.records_file import RecordsFile
from tailrace.streams.worker.projection import PROJECTION_FILE, SqliteProjection


@pytest.fixture
def settings(bare_folder: Path) -> Settings:
    # Nobody listens there: whoever gets as far has not been refused.
    return load_settings(data_dir=bare_folder, broker="127.0.0.1:1")


@pytest.mark.parametrize("user", [SqliteProjection, RecordsFile])
async def test_a_projection_that_is_in_use_is_left_alone(
    settings: Settings, user: type[SqliteProjection | RecordsFile]
) -> None:
    path = settings.data_dir / PROJECTION_FILE
    one, other = user(path), user(path)
    one.close()
    with pytest.raises(Unavailable, match=r"projection\.db is in use\. Stop the workers"):
        await rebuild(settings)
    other.close()
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:1"):
        await rebuild(settings)
    assert path.is_file()
