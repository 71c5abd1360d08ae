from __future__ import annotations

from typing import Any, Dict, Generator, Optional

from ._errors import ConnectionFailed, PlumblineError, UnexpectedAnswerError
from ._http import BROKEN, Answer, Http, parse

Record = Dict[str, Any]


def place_of(record: Record) -> str:
    """The place behind a record."""
    return f"{record['updatedAt']},{record['id']}"


def _parsed(line: bytes, path: str) -> Record:
    try:
        value = parse(line)
    except ValueError:
        # Half a line: the connection ended in it. Anything else is not an export at all.
        if line.startswith(b"{"):
            raise ConnectionFailed("it ended within a record") from None
        raise UnexpectedAnswerError(path) from None
    if not isinstance(value, dict):
        raise UnexpectedAnswerError(path)
    return value


def _records(answer: Answer, path: str) -> Generator[Record, None, Optional[str]]:
    """The records of one answer, in order; returns the cursor of its last line. Raises ConnectionFailed when the answer was cut."""
    count = 0
    try:
        for line in answer.body:
            value = _parsed(line, path)
            if "id" not in value and "count" in value:
                if value["count"] != count:
                    raise ConnectionFailed(f"{count} of {value['count']} records arrived")
                cursor: Optional[str] = value.get("cursor")
                return cursor
            if not isinstance(value.get("id"), str) or not isinstance(value.get("updatedAt"), str):
                raise UnexpectedAnswerError(path)
            count += 1
            yield value
    except BROKEN as error:
        raise ConnectionFailed(error) from error
    raise ConnectionFailed("it ended before its last line")


def exported(
    http: Http,
    resource: str,
    *,
    include: Optional[str] = None,
    cursor: Optional[str] = None,
    after: Optional[str] = None,
) -> Generator[Record, None, Optional[str]]:
    """
    All records of a resource, as they arrive; returns the cursor from which changes complete the export, None where the server has
    none. An interrupted answer is continued behind the last record that arrived whole, so each comes once, except one that
    changes meanwhile, which may come twice or not at all: the changes behind the cursor have it.
    """
    path = f"/export/{resource}"
    pace = http.pace()
    while True:
        try:
            with http.open(path, {"include": include, "cursor": cursor, "after": after}) as answer:
                cursor = cursor or answer.headers.get("x-changes-cursor")
                records = _records(answer, path)
                while True:
                    try:
                        record = next(records)
                    except StopIteration as end:
                        last: Optional[str] = end.value
                        return last
                    yield record
                    after = place_of(record)
                    pace.progressed()
        except PlumblineError as error:
            pace.after(error)
