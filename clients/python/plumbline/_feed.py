from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

from ._checksum import Version
from ._store import Batch, Record

Item = Dict[str, Any]
Key = Tuple[str, str]


class Ahead:
    """
    Where a copy is ahead of the cursor. An item's record is as it is now, perhaps newer than its change, or gone; its next item is
    then on its way. The copy has what was sent, while the totals are those at the cursor, so a proof counts such records as they were there.
    """

    def __init__(self) -> None:
        #: By record: the `updatedAt` that was sent, None where it was gone, and the one at the cursor.
        self._records: Dict[Key, Tuple[Optional[str], str]] = {}

    def note(self, item: Item) -> None:
        key = (item["resource"], item["id"])
        record, at = item.get("record"), item.get("updatedAt")
        sent = record["updatedAt"] if record else None
        if item["change"] == "deleted" or at is None or sent == at:
            self._records.pop(key, None)
        else:
            self._records[key] = (sent, at)

    def at_cursor(self, resource: str, versions: Iterable[Version]) -> Iterator[Version]:
        """Turns what a copy has of a resource into what it would have at the cursor."""
        gone = {key: at for key, (sent, at) in self._records.items() if sent is None and key[0] == resource}
        for record_id, updated_at in versions:
            key = (resource, record_id)
            gone.pop(key, None)
            sent, at = self._records.get(key, (None, ""))
            yield (record_id, at if sent == updated_at else updated_at)
        for (_, record_id), at in gone.items():
            yield (record_id, at)


def batch_of(items: Sequence[Item], state: str) -> Batch:
    """Turns a page's items into what to store: of each record only the last."""
    last = {(item["resource"], item["id"]): item for item in items}
    upserts: List[Tuple[str, Record]] = []
    deletes: List[Key] = []
    for key, item in last.items():
        if item["change"] != "deleted" and item.get("record"):
            upserts.append((key[0], item["record"]))
        else:
            deletes.append(key)
    return Batch(upserts, deletes, state)
