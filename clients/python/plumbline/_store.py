from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Optional, Protocol, Tuple

from ._checksum import Version

Record = Dict[str, Any]


@dataclass(frozen=True)
class Batch:
    """What a store is given at once. Within a batch no record comes twice."""

    #: Pairs of the resource's name and the record.
    upserts: List[Tuple[str, Record]]
    #: Pairs of the resource's name and the id.
    deletes: List[Tuple[str, str]]
    #: What to keep with it, in the same transaction: the next sync goes on from there. A text of a few hundred characters.
    state: str


class Store(Protocol):
    """Where a copy is kept. Yours has a table for each resource and one row for the state."""

    def load(self) -> Optional[str]:
        """Returns the state of the last batch that was stored; None before the first."""

    def apply(self, batch: Batch) -> None:
        """
        Inserts or replaces the upserts by id, deletes the deletes (one that is not there is no fault), and keeps the state: all of it
        in one transaction, or nothing.
        """

    def versions(self, resource: str) -> Iterable[Version]:
        """Returns id and `updatedAt` of every record that the copy has of a resource, read from the copy: the proof is about these."""


class MemoryStore:
    """A copy in memory."""

    def __init__(self) -> None:
        self.records: Dict[str, Dict[str, Record]] = {}
        self._state: Optional[str] = None

    def load(self) -> Optional[str]:
        return self._state

    def apply(self, batch: Batch) -> None:
        for resource, record in batch.upserts:
            self.records.setdefault(resource, {})[record["id"]] = record
        for resource, record_id in batch.deletes:
            self.records.get(resource, {}).pop(record_id, None)
        self._state = batch.state

    def versions(self, resource: str) -> Iterable[Version]:
        return [(record_id, record["updatedAt"]) for record_id, record in self.records.get(resource, {}).items()]


def _number(value: object) -> float:
    """Amounts have two decimals, which a float keeps exactly up to 13 digits before the point."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


class SqliteStore:
    """
    A copy in an SQLite file: table `records` with `resource`, `id`, `updated_at` and the record as JSON in `record`. Each batch is one
    transaction, so what is stored survives a kill of the process.
    """

    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path)
        with self.connection:
            self.connection.execute(
                "create table if not exists records (resource text, id text, updated_at text not null, record text not null, "
                "primary key (resource, id)) without rowid"
            )
            self.connection.execute("create table if not exists state (only integer primary key check (only = 1), state text)")

    def load(self) -> Optional[str]:
        row = self.connection.execute("select state from state").fetchone()
        return row[0] if row else None

    def apply(self, batch: Batch) -> None:
        rows = [
            (resource, record["id"], record["updatedAt"], json.dumps(record, default=_number))
            for resource, record in batch.upserts
        ]
        with self.connection:
            self.connection.executemany("insert or replace into records values (?, ?, ?, ?)", rows)
            self.connection.executemany("delete from records where resource = ? and id = ?", batch.deletes)
            self.connection.execute("insert or replace into state values (1, ?)", (batch.state,))

    def versions(self, resource: str) -> Iterable[Version]:
        found = self.connection.execute("select id, updated_at from records where resource = ?", (resource,))
        return ((row[0], row[1]) for row in found)

    def records(self, resource: str) -> Iterable[Record]:
        """The records of a resource, with exact amounts, in order of their ids."""
        found = self.connection.execute("select record from records where resource = ? order by id", (resource,))
        return (json.loads(row[0], parse_float=Decimal) for row in found)

    def close(self) -> None:
        self.connection.close()
