"""Client of the Plumbline data API: lists, exports, changes, and a sync that proves its copy complete."""

from ._checksum import checksum_of
from ._client import Plumbline
from ._errors import (
    ApiError,
    ConnectionFailed,
    GoneError,
    IncompleteListError,
    PlumblineError,
    Proof,
    ProofError,
    RateLimitedError,
    UnexpectedAnswerError,
)
from ._store import Batch, MemoryStore, SqliteStore, Store
from ._sync import SyncResult
from ._version import VERSION

__version__ = VERSION
__all__ = [
    "ApiError",
    "Batch",
    "ConnectionFailed",
    "GoneError",
    "IncompleteListError",
    "MemoryStore",
    "Plumbline",
    "PlumblineError",
    "Proof",
    "ProofError",
    "RateLimitedError",
    "SqliteStore",
    "Store",
    "SyncResult",
    "UnexpectedAnswerError",
    "checksum_of",
]
