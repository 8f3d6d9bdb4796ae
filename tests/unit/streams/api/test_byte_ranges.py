"""Which bytes a request asks for, by the headers that say so."""

import pytest

from tailrace.streams.api.byte_ranges import etags, select
from tailrace.streams.api.problems import ProblemError

ETAG = '"a"'
SIZE_BYTES = 10


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("bytes=0-3", range(4)),
        ("bytes=4-", range(4, 10)),
        ("bytes=4-99", range(4, 10)),
        ("bytes=0-", range(10)),
        ("bytes=9-9", range(9, 10)),
        ("bytes=-3", range(7, 10)),
        ("bytes=-99", range(10)),
        ("Bytes= 2-3 ", range(2, 4)),
    ],
)
def test_a_range_within_the_content_is_a_part_with_its_place(header: str, wanted: range) -> None:
    selection = select(header, "", etag=ETAG, size_bytes=SIZE_BYTES)

    assert (selection.wanted, selection.status) == (wanted, 206)
    assert selection.headers == {
        "Content-Length": str(len(wanted)),
        "Content-Range": f"bytes {wanted.start}-{wanted.stop - 1}/10",
    }


@pytest.mark.parametrize("header", ["", "bytes=", "bytes=5-2", "bytes=0-1,3-4", "lines=0-3", "bytes=a-b", "bytes=--1"])
def test_what_is_no_single_range_gets_everything(header: str) -> None:
    selection = select(header, "", etag=ETAG, size_bytes=SIZE_BYTES)

    assert (selection.wanted, selection.status) == (range(10), 200)
    assert selection.headers == {"Content-Length": "10"}


@pytest.mark.parametrize(
    ("header", "size_bytes"),
    [("bytes=10-", 10), ("bytes=10-11", 10), ("bytes=-0", 10), ("bytes=0-", 0), ("bytes=-5", 0)],
)
def test_a_range_outside_is_refused_with_the_size(header: str, size_bytes: int) -> None:
    with pytest.raises(ProblemError) as caught:
        select(header, "", etag=ETAG, size_bytes=size_bytes)

    assert caught.value.kind.status == 416
    assert caught.value.headers == {"Content-Range": f"bytes */{size_bytes}"}


@pytest.mark.parametrize(
    ("if_range", "status"), [(ETAG, 206), ('"b"', 200), (f"W/{ETAG}", 200), ("Wed, 18 Nov 2026 22:00:00 GMT", 200)]
)
def test_a_part_of_another_content_is_not_sent(if_range: str, status: int) -> None:
    assert select("bytes=0-3", if_range, etag=ETAG, size_bytes=SIZE_BYTES).status == status
    # Outside of a content that it is not about, a range means nothing.
    if status == 200:
        assert select("bytes=50-", if_range, etag=ETAG, size_bytes=SIZE_BYTES).wanted == range(10)


def test_tags_are_compared_without_the_mark_of_weak_ones() -> None:
    assert etags('W/"a", "b"') == {'"a"', '"b"'}
