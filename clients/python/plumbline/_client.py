from __future__ import annotations

import urllib.parse
from typing import Any, Callable, Dict, Generator, Iterator, Optional, Sequence

from ._errors import IncompleteListError, ProofError, Total
from ._export import Record, exported
from ._http import Http
from ._store import Batch, Store
from ._sync import CHANGES_PAGE, Pass, SyncResult

#: The longest that the API lets a request wait for a change, in seconds.
LONGEST_WAIT = 25

Page = Dict[str, Any]


class Plumbline:
    """
    A client of the data API with one key. Requests are repeated after 429 (when `Retry-After` says so), 408, 5xx and cut
    connections; all of its methods raise ApiError and ConnectionFailed when that does not help. Amounts are Decimal.

    base_url: where the data API is, such as `https://api.example.com` or `http://localhost:3000/api/v1`.
    key: a key that can read. It is sent to that address only, and is in no error or log.
    timeout: seconds without any byte before a request counts as failed.
    attempts: attempts without any progress before an error is raised.
    patience: seconds that refusals for the rate limit (429) may take together.
    """

    def __init__(
        self, base_url: str, key: str, *, timeout: float = 60, attempts: int = 6, patience: float = 900
    ) -> None:
        self._http = Http(base_url, key, timeout, attempts, patience)

    def get(self, resource: str, record_id: str, *, include: Optional[str] = None) -> Record:
        """One record. Raises GoneError when it was deleted, ApiError 404 when there is none."""
        path = f"/{resource}/{urllib.parse.quote(record_id, safe='')}"
        return self._http.json(path, {"include": include}, {"id": str, "updatedAt": str})

    def pages(self, resource: str, **query: Any) -> Iterator[Page]:
        """
        The pages of a list, a hundred records each unless `limit` says otherwise. `from` is a word of Python: pass it as
        `**{"from": "2026-10-01"}`. Raises IncompleteListError behind the last page that can be read, when records are left.
        """
        token: Optional[str] = None
        while True:
            asked = {"limit": 100, **query, "pageToken": token}
            page, headers = self._http.answer(f"/{resource}", asked, {"items": list})
            yield page
            token = page.get("nextPageToken")
            if token is None:
                if headers.get("list-complete", "").startswith("?0"):
                    raise IncompleteListError(resource)
                return

    def list(self, resource: str, **query: Any) -> Iterator[Record]:
        """The records of a list, page after page. One that changes meanwhile may come twice: keep the last of each id."""
        for page in self.pages(resource, **query):
            yield from page["items"]

    def export(self, resource: str, *, include: Optional[str] = None) -> Generator[Record, None, Optional[str]]:
        """All records of a resource in one streamed answer, continued when it is cut; returns the cursor behind which the changes are."""
        return exported(self._http, resource, include=include)

    def changes(self, **query: Any) -> Page:
        """One page of the changes feed. Without a cursor it has no items, and the cursor of now."""
        return self._http.json("/changes", query, CHANGES_PAGE)

    def checksum(self, resource: str, *, cursor: Optional[str] = None) -> Total:
        """How many records of a resource there are, and their checksum, at a cursor or now."""
        found = self._http.json(f"/{resource}/checksum", {"cursor": cursor}, {"count": int, "checksum": str})
        return Total(found["count"], found["checksum"])

    def sync(
        self,
        store: Store,
        *,
        resources: Optional[Sequence[str]] = None,
        include: Optional[str] = None,
        reread: Sequence[str] = (),
        batch_size: int = 1000,
        on_batch: Optional[Callable[[Batch], None]] = None,
    ) -> SyncResult:
        """
        Brings a copy up to date and proves it complete: exports at first, then only changes. Run it every few minutes. After an
        interruption it goes on behind the last batch that was stored. A cursor that is too old (410) makes it read everything
        again. Raises ProofError when what the copy has is not what the API has.

        resources: what to copy; what the stored state covers, or the first time all that the key may read. With others than before all is read again.
        include: `details` adds what is stored beyond the specified fields.
        reread: these are read whole again, and what no longer exists is removed: after a proof that failed.
        batch_size: records in a batch of an export.
        on_batch: told after each batch that is stored.
        """
        one = Pass(self._http, store, resources, include, reread, batch_size)
        upserts = deletes = 0
        for batch in one.batches():
            store.apply(batch)
            upserts += len(batch.upserts)
            deletes += len(batch.deletes)
            if on_batch:
                on_batch(batch)
        proofs = one.prove()
        if any(proof.verdict == "incomplete" for proof in proofs):
            raise ProofError(proofs)
        return SyncResult(upserts, deletes, one.restarted, proofs)

    def follow(
        self,
        store: Store,
        *,
        resources: Optional[Sequence[str]] = None,
        include: Optional[str] = None,
        batch_size: int = 1000,
    ) -> Iterator[Batch]:
        """
        Keeps a copy up to date until the caller stops: what `sync` stores, then each change about a second after it happened. Gives
        every batch once it is stored.
        """
        wait = 0
        while True:
            for batch in Pass(self._http, store, resources, include, (), batch_size).batches(wait):
                store.apply(batch)
                yield batch
            wait = LONGEST_WAIT
