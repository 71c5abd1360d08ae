from __future__ import annotations

import hashlib
from typing import Iterable, Tuple

from ._errors import Total

#: A record's id and its `updatedAt`, as the record has it.
Version = Tuple[str, str]


def checksum_of(versions: Iterable[Version]) -> Total:
    """
    Counts records, and adds up their checksum as the API defines it: the sum, modulo 2^64, of the first eight bytes of SHA-256 of
    `<id> <updatedAt>`, as 16 hexadecimal digits. The order does not matter.
    """
    count = total = 0
    for record_id, updated_at in versions:
        digest = hashlib.sha256(f"{record_id} {updated_at}".encode()).digest()
        total += int.from_bytes(digest[:8], "big")
        count += 1
    return Total(count, f"{total % 2**64:016x}")
