"""Examples of what the API takes and gives; a test holds each to the type of its endpoint."""

from typing import Any, Final

MESSAGE: Final[dict[str, Any]] = {"role": "user", "content": "How high is the water?"}

PUBLISHED: Final[dict[str, Any]] = {
    "published": [{"id": "0199-m1", "thread": "t1", "partition": 3, "offset": 41}],
}

THREAD: Final[dict[str, Any]] = {
    "thread": "t1",
    "tenant": "default",
    "model": "gpt-4o",
    "agent": None,
    "parent_thread": None,
    "messages": 1,
    "tokens_said": 10,
    "messages_live": 1,
    "tokens": 13,
    "limit_tokens": 115_000,
    "compactions": 0,
    "last_at_ms": 1_760_000_000_000,
}

THREADS: Final[dict[str, Any]] = {"threads": [THREAD], "next": None}

_COVERS: Final = {"event_id": "0199-m1", "offset": 41}

CONTEXT: Final[dict[str, Any]] = {
    "thread": "t1",
    "tenant": "default",
    "model": "gpt-4o",
    "tokens": 13,
    "limit_tokens": 115_000,
    "window_tokens": 128_000,
    "epoch": 0,
    "covers_through": _COVERS,
    "totals": {"messages": 1, "tokens": 10, "turns": 1, "groups": 1, "compactions": 0},
    "format": "openai.chat",
    "request": {"messages": [MESSAGE]},
    "entries": [
        {"id": "0199-m1", "kind": "verbatim", "role": "user", "tokens": 10, "turn": 1, "pinned": False, "sources": []}
    ],
}

NOTICE: Final[dict[str, Any]] = {
    "thread": "t1",
    "etag": '"8f2a61c09d3be475"',
    "tokens": 13,
    "limit_tokens": 115_000,
    "epoch": 0,
    "covers_through": _COVERS,
}

HEALTH: Final[dict[str, Any]] = {"status": "ok"}

COMPACTION: Final[dict[str, Any]] = {
    "version": 1,
    "id": "3f9c2a1b7d604e85",
    "thread": "t1",
    "tenant": "default",
    "epoch": 1,
    "trigger": "budget",
    "strategy": "composed",
    "policy_version": "b0011a1f",
    "event_id": "0199-m1",
    "offset": 41,
    "before_tokens": 1_244,
    "after_tokens": 829,
    "limit_tokens": 1_400,
    "decisions": [
        {
            "action": "summarize",
            "span": {"ids": ["0199-m0"], "first_turn": 1, "last_turn": 1},
            "tokens": 430,
            "entry_id": "tailrace:5d41",
            "after_tokens": 15,
            "strategy": "summarize",
        }
    ],
    "receipt": {"retained": 9, "recoverable": 1, "lost": 0, "recover_from": "the conversations topic"},
    "at_ms": 1_760_000_000_000,
}

COMPACTIONS: Final[dict[str, Any]] = {"compactions": [COMPACTION], "before": None}

HISTORY: Final[dict[str, Any]] = {
    "thread": "t1",
    "now": THREAD,
    "happened": [{"compaction": COMPACTION, "event": None, "failed": None}],
    "before": None,
}

EVENT: Final[dict[str, Any]] = {
    "version": 1,
    "id": "t1/0199-m1@41/completed",
    "kind": "completed",
    "thread": "t1",
    "tenant": "default",
    "trigger": "budget",
    "event_id": "0199-m1",
    "offset": 41,
    "before_tokens": 1_244,
    "after_tokens": 829,
    "limit_tokens": 1_400,
    "policy_version": "b0011a1f",
    "compaction_id": "3f9c2a1b7d604e85",
    "at_ms": 1_760_000_000_000,
}

PLAN_REQUEST: Final[dict[str, Any]] = {"budget_tokens": 8_000}

PLAN: Final[dict[str, Any]] = {
    "source": "thread t1",
    "model": "gpt-4o",
    "window_tokens": 128_000,
    "policy": {"name": "default", "hash": "b0011a1f"},
    "note": None,
    "strategy": "composed",
    "limit_tokens": 8_000,
    "upper_tokens": 6_800,
    "lower_tokens": 4_800,
    "before_tokens": 13,
    "after_tokens": 13,
    "freed_tokens": 0,
    "messages_before": 1,
    "messages_after": 1,
    "reason": "below the upper mark",
    "changes": [],
    "ledger": None,
    "skipped": [],
    "warnings": [],
    "annotations": {},
}

COMPACT_REQUEST: Final[dict[str, Any]] = {"target_fraction": 0.3, "reason": "before the long task"}

COMPACTED: Final[dict[str, Any]] = {
    "thread": "t1",
    "outcome": "completed",
    "before_tokens": 1_244,
    "after_tokens": 420,
    "limit_tokens": 1_400,
    "reason": "before the long task (asked for by local)",
    "compaction_id": "3f9c2a1b7d604e85",
}

SIGNAL: Final[dict[str, Any]] = {"kind": "call_started", "call": "c1", "timeout_ms": 60_000}

RECALLED: Final[dict[str, Any]] = {
    "hits": [
        {
            "id": "0199-m0",
            "kind": "message",
            "thread": "t1",
            "turn": 1,
            "role": "user",
            "tool": "",
            "score": 4.2,
            "snippet": "The gauge is at the second bridge.",
            "first_char": 0,
            "sensitivity": "internal",
        }
    ],
    "missing": [],
}

LINES: Final[dict[str, Any]] = {"id": "6f1c2a90b3d4e5f7", "text": "1: listening on 8700\n2: ready"}

ARTIFACT: Final[dict[str, Any]] = {
    "version": 1,
    "id": "6f1c2a90b3d4e5f7",
    "tenant": "default",
    "media_type": "text/plain",
    "size_bytes": 26,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sensitivity": "internal",
    "created_at_ms": 1_760_000_000_000,
    "thread": "t1",
}

DELETED: Final[dict[str, Any]] = {"deleted": "6f1c2a90b3d4e5f7"}

TOOLS: Final[dict[str, Any]] = {
    "format": "openai.chat",
    "tools": [{"type": "function", "function": {"name": "recall", "parameters": {"type": "object"}}}],
}

POLICIES: Final[dict[str, Any]] = {
    "policies": [{"name": "default", "hash": "b0011a1f", "about": "What holds where nothing is set.", "in_force": True}]
}

POLICY_DIFF: Final[dict[str, Any]] = {
    "equal": False,
    "changes": [{"key": "upper_fraction", "a": "0.85", "b": "0.9"}],
}

POLICY_BODY: Final[dict[str, Any]] = {"base": "codex", "upper_fraction": 0.8}

POLICY_CHECK: Final[dict[str, Any]] = {
    "ok": True,
    "name": "codex",
    "hash": "77c1d20e",
    "problems": [],
    "warnings": [],
}

EXPLAINED: Final[dict[str, Any]] = {
    "name": "default",
    "hash": "b0011a1f",
    "window_tokens": 128_000,
    "thread": None,
    "note": None,
    "triggers": [{"trigger": "upper mark", "when": "above 97,750 tokens", "now": None, "holds": None}],
}

_NOTHING: Final = {
    "calls": 0,
    "input_tokens": 0,
    "cache_read_tokens": 0,
    "cache_write_tokens": 0,
    "output_tokens": 0,
    "cost_usd": 0.0,
}

COST: Final[dict[str, Any]] = {
    "by": "tenant",
    "rows": [
        {
            "name": "default",
            "primary": {**_NOTHING, "calls": 2, "input_tokens": 900, "output_tokens": 80, "cost_usd": 0.003},
            "compactor": _NOTHING,
        }
    ],
    "missing": [],
}

_LETTER: Final[dict[str, Any]] = {
    "id": "3-17",
    "timestamp_ms": 1_760_000_000_000,
    "key": {"text": "t1"},
    "code": "invalid",
    "error": "tailrace.schemas.errors.Invalid",
    "message": "the value is empty; it must be a JSON object",
    "source": {"topic": "tailrace.conversations", "partition": 3, "offset": 40},
    "value_bytes": 0,
}

LETTERS: Final[dict[str, Any]] = {"letters": [_LETTER]}

OPEN_LETTER: Final[dict[str, Any]] = {"letter": _LETTER, "stacktrace": "", "headers": [], "value": {"text": ""}}

REPLAYED: Final[dict[str, Any]] = {
    "id": "3-17",
    "topic": "tailrace.conversations",
    "partition": 3,
    "offset": 58,
    "skipped": None,
}

STATS: Final[dict[str, Any]] = {
    "release": "0.1.0",
    "threads": 1,
    "waiting_messages": 0,
    "unread_records": 0,
    "ready": True,
    "problem": None,
    "policy": "default",
    "policy_hash": "b0011a1f",
    "formats": ["openai.chat"],
}

VERSION: Final[dict[str, Any]] = {"versions": {"tailrace": "0.1.0", "python": "3.13.1"}}
