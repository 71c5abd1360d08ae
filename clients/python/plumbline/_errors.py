from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence


class PlumblineError(Exception):
    """What all errors of this package have in common: what happened, why, and what to do next. None contains the key."""

    def __init__(self, what: str, why: str, next_step: str) -> None:
        super().__init__(f"{what}: {why} {next_step}".strip())
        self.what = what
        self.why = why
        self.next = next_step


class ApiError(PlumblineError):
    """The API, or something in front of it, refused a request."""

    def __init__(
        self,
        status: int,
        why: str,
        *,
        code: str = "",
        request_id: str = "",
        fields: Sequence[Dict[str, Any]] = (),
        retry_after: Optional[float] = None,
    ) -> None:
        next_step = f"When you ask about it, name the request {request_id}." if request_id else ""
        super().__init__(f"The API answered {status}", why, next_step)
        self.status = status
        #: `bad_request`, `forbidden`, …: see the guide on errors and limits. Empty when something other than the API answered.
        self.code = code
        self.request_id = request_id
        self.fields = list(fields)
        #: Seconds that the server asked to wait.
        self.retry_after = retry_after


class RateLimitedError(ApiError):
    """429 for longer than the client's patience."""


class GoneError(ApiError):
    """410: a record was deleted, or the feed no longer has what follows a cursor."""


class ConnectionFailed(PlumblineError):
    """No whole answer arrived: no connection, a cut one, or none in time."""

    def __init__(self, reason: object) -> None:
        super().__init__(
            "No whole answer arrived", f"{reason}.", "Check the address and the network; the request can be repeated."
        )


class UnexpectedAnswerError(PlumblineError):
    """The answer is not what the API description says; most likely something else answered, such as a proxy."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"The answer to {path} is not what the API description says",
            "something else may have answered, or this package is too old.",
            "Check base_url, then update the package.",
        )


class IncompleteListError(PlumblineError):
    """A list ended before its last record: its server has no secret for page tokens, and says so by the header `List-Complete: ?0`."""

    def __init__(self, resource: str) -> None:
        super().__init__(
            f"The list of {resource} is not complete",
            "the server issues no page tokens, so what follows this page cannot be read.",
            "Ask its operator to set EXTERNAL_API_TOKEN_SECRET, or ask for at most one page.",
        )


@dataclass(frozen=True)
class Total:
    """How many records there are, and their checksum."""

    count: int
    checksum: str


@dataclass(frozen=True)
class Proof:
    """What was compared for one resource: what the copy has, and what is true at the cursor that the sync reached."""

    resource: str
    #: `complete`, `incomplete`, or `unavailable`: the server is still counting records of before the feed, and gave no totals.
    verdict: str
    found: Total
    expected: Optional[Total]


def _reason(proof: Proof) -> str:
    there = proof.expected.count if proof.expected else 0
    found, resource = proof.found.count, proof.resource
    if found < there:
        return f"{there - found} of {there} {resource} are missing"
    if found > there:
        return f"it has {found - there} {resource} more than the {there} that exist"
    return f"of {there} {resource} at least one is out of date, or one is missing and another is left over"


class ProofError(PlumblineError):
    """The copy is not what it should be, although everything that was sent has been stored."""

    def __init__(self, proofs: Sequence[Proof]) -> None:
        failed = [proof for proof in proofs if proof.verdict == "incomplete"]
        names: List[str] = [proof.resource for proof in failed]
        super().__init__(
            f"The copy of {' and '.join(names)} is not complete",
            f"{'; '.join(_reason(proof) for proof in failed)}.",
            "Check that `apply` stores every record of a batch and that nothing else writes to the copy, "
            f"then read {'them' if len(names) > 1 else 'it'} again: sync(store, reread={names!r}).",
        )
        self.proofs = list(proofs)
