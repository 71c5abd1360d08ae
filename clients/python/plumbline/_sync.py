from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Dict, Generator, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._checksum import checksum_of
from ._errors import GoneError, PlumblineError, Proof, Total
from ._export import Record, exported, place_of
from ._feed import Ahead, batch_of
from ._http import Http
from ._store import Batch, Store

#: What a page of the changes feed must have.
CHANGES_PAGE: Mapping[str, type] = {"items": list, "cursor": str, "more": bool, "totals": dict}
#: Changes in a request; the most that the API gives.
CHANGES = 500

Export = Dict[str, Any]


@dataclass(frozen=True)
class SyncResult:
    """What a sync did. A record may count more than once among the upserts."""

    upserts: int
    deletes: int
    #: Whether everything was read again, because the feed no longer had what follows the stored cursor (410).
    restarted: bool
    proofs: List[Proof]


@dataclass(frozen=True)
class Place:
    """
    Where a copy is: the feed's cursor that it was begun with or has reached, the resources it covers, and those whose export is not
    finished. `after` is the last record that is stored; `replaces` says that the copy had records before that export began.
    """

    cursor: str
    resources: Tuple[str, ...]
    exports: Dict[str, Export]

    def text(self) -> str:
        """What a store keeps with the records."""
        return json.dumps({"v": 1, "cursor": self.cursor, "resources": self.resources, "exports": self.exports})

    def with_export(self, resource: str, entry: Optional[Export]) -> "Place":
        """The same with another state of an export; None when it is finished."""
        rest = {name: each for name, each in self.exports.items() if name != resource}
        return replace(self, exports=rest if entry is None else {**rest, resource: entry})


def place_in(text: str) -> Place:
    """Reads what `Place.text` wrote. Raises PlumblineError when it is something else."""
    try:
        value = json.loads(text)
        if value["v"] == 1:
            return Place(str(value["cursor"]), tuple(value["resources"]), dict(value["exports"]))
    except (ValueError, KeyError, TypeError):
        pass
    raise PlumblineError(
        "The stored state cannot be read",
        "it is not a text that a batch had as its `state`.",
        "Store the texts unchanged. To begin again, delete the state: records that no longer exist are then removed from the copy.",
    )


class Pass:
    """One pass over a store: what is left of exports, then changes."""

    def __init__(
        self,
        http: Http,
        store: Store,
        resources: Optional[Sequence[str]],
        include: Optional[str],
        reread: Sequence[str],
        batch_size: int,
    ) -> None:
        self._http, self._store, self._resources = http, store, resources
        self._include, self._reread, self._batch_size = include, reread, batch_size
        self.restarted = False
        self._ahead = Ahead()
        self._end: Tuple[Sequence[str], Dict[str, Any]] = ((), {})

    def _beginning(self, resources: Optional[Sequence[str]]) -> Place:
        """A place from which everything is read."""
        page = self._http.json("/changes", {"resources": resources}, CHANGES_PAGE)
        covered = tuple(resources or page["totals"])
        return Place(page["cursor"], covered, {name: {} for name in covered})

    def _begin(self) -> Place:
        """The place to go on from."""
        state = self._store.load()
        if state is None:
            return self._beginning(self._resources)
        place = place_in(state)
        wanted = tuple(self._resources or place.resources)
        if any(name not in place.resources for name in wanted):
            return self._beginning(wanted)
        left = {name: entry for name, entry in place.exports.items() if name in wanted}
        return Place(place.cursor, wanted, {**left, **{name: {} for name in self._reread}})

    def batches(self, wait: int = 0) -> Iterator[Batch]:
        """
        Reads what the store lacks, in batches. Each must be stored before the next is asked for. `wait` is how many seconds the last
        request may wait for a change. A cursor that the feed no longer knows (410) leads to a new beginning, once.
        """
        place = self._begin()
        while True:
            try:
                for name in place.resources:
                    if name in place.exports:
                        yield from self._export(name, place)
                        place = place.with_export(name, None)
                yield from self._feed(place, wait)
                return
            except GoneError:
                if self.restarted:
                    raise
                self.restarted = True
                place = self._beginning(place.resources)

    def _export(self, name: str, place: Place) -> Iterator[Batch]:
        """Exports one resource. What the copy had before and the export has not is deleted at its end."""
        entry = place.exports[name]
        # Which of the copy's records the part before had is not known; only a copy that began empty can go on.
        after = None if entry.get("replaces") else entry.get("after")
        old = {record_id for record_id, _ in self._store.versions(name)} if after is None else set()
        more: Export = {"replaces": True} if old else {}
        # A record that changes meanwhile may come twice.
        upserts: Dict[str, Record] = {}
        for record in exported(self._http, name, include=self._include, cursor=place.cursor, after=after):
            old.discard(record["id"])
            upserts[record["id"]] = record
            if len(upserts) < self._batch_size:
                continue
            state = place.with_export(name, {"after": place_of(record), **more}).text()
            yield Batch([(name, each) for each in upserts.values()], [], state)
            upserts = {}
        deletes = [(name, record_id) for record_id in old]
        yield Batch([(name, each) for each in upserts.values()], deletes, place.with_export(name, None).text())

    def _feed(self, place: Place, wait: int) -> Generator[Batch, None, None]:
        while True:
            query = {"cursor": place.cursor, "resources": place.resources, "include": self._include, "limit": CHANGES}
            page = self._http.json("/changes", {**query, "wait": wait or None}, CHANGES_PAGE)
            for item in page["items"]:
                self._ahead.note(item)
            is_new = bool(page["items"]) or page["cursor"] != place.cursor
            place = replace(place, cursor=page["cursor"])
            if is_new:
                yield batch_of(page["items"], place.text())
            if not page["more"]:
                self._end = (place.resources, page["totals"])
                return

    def prove(self) -> List[Proof]:
        """Compares the copy with the totals at the cursor that `batches` has reached."""
        resources, totals = self._end
        proofs: List[Proof] = []
        for name in resources:
            total = totals.get(name)
            expected = Total(total["count"], total["checksum"]) if total else None
            found = checksum_of(self._ahead.at_cursor(name, self._store.versions(name)))
            verdict = "unavailable" if expected is None else "complete" if expected == found else "incomplete"
            proofs.append(Proof(name, verdict, found, expected))
        return proofs
