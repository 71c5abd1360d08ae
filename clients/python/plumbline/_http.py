from __future__ import annotations

import gzip
import http.client
import io
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from decimal import Decimal
from typing import IO, Any, Callable, Dict, Mapping, Optional, Tuple

from ._errors import (
    ApiError,
    ConnectionFailed,
    GoneError,
    PlumblineError,
    RateLimitedError,
    UnexpectedAnswerError,
)
from ._version import VERSION

#: What the platform raises when a connection fails or ends early, also within compressed text.
BROKEN = (OSError, EOFError, http.client.HTTPException, zlib.error)
LONGEST_SECONDS = 30.0
DEFAULT_RETRY_SECONDS = 60.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def parse(text: "str | bytes") -> Any:
    """Reads JSON with exact amounts."""
    return json.loads(text, parse_float=Decimal)


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        return None


def _refusal(error: urllib.error.HTTPError) -> ApiError:
    try:
        body = parse(_plain(error).read())
    except (ValueError, *BROKEN):
        body = {}
    if not isinstance(body, dict):
        body = {}
    kind = {410: GoneError, 429: RateLimitedError}.get(error.code, ApiError)
    return kind(
        error.code,
        str(body.get("error", "the answer gives no reason.")),
        code=str(body.get("code", "")),
        request_id=str(body.get("requestId", error.headers.get("x-request-id", ""))),
        fields=body.get("fields", ()),
        retry_after=_seconds(error.headers.get("retry-after")),
    )


def _plain(answer: Any) -> "IO[bytes]":
    """The body as it was before it was compressed."""
    is_gzip = answer.headers.get("content-encoding") == "gzip"
    return gzip.GzipFile(fileobj=io.BufferedReader(answer)) if is_gzip else answer


class Answer:
    """An answer whose body is still to be read; a context manager, which closes it."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.headers: Mapping[str, str] = raw.headers
        self.body = _plain(raw)

    def __enter__(self) -> "Answer":
        return self

    def __exit__(self, *_: Any) -> None:
        self._raw.close()


class Pace:
    """Decides after each failure of one request whether to try again, and waits."""

    def __init__(self, attempts: int, patience: float, sleep: Callable[[float], None]) -> None:
        self._attempts, self._patience, self._sleep = attempts, patience, sleep
        self._failures, self._limited = 0, 0.0

    def progressed(self) -> None:
        """Something arrived since the last failure: the next one counts as the first."""
        self._failures, self._limited = 0, 0.0

    def after(self, error: PlumblineError) -> None:
        """Waits until the request may be repeated. Raises the error itself when it should not be."""
        self._sleep(self._wait(error))

    def _wait(self, error: PlumblineError) -> float:
        asked = error.retry_after if isinstance(error, ApiError) else None
        if isinstance(error, RateLimitedError):
            wait = DEFAULT_RETRY_SECONDS if asked is None else asked
            self._limited += wait
            if self._limited > self._patience:
                raise error
            # Clients that were refused together should not come back together.
            return wait + random.random() / 4
        status = error.status if isinstance(error, ApiError) else None
        can_pass = isinstance(error, ConnectionFailed) or (status is not None and (status in (408, 425) or status >= 500))
        self._failures += 1
        if not can_pass or self._failures >= self._attempts:
            raise error
        longest = min(LONGEST_SECONDS, 0.5 * 2**self._failures)
        return max(asked or 0.0, longest * (0.5 + random.random() / 2))


class Http:
    """Sends requests with the key, and repeats those that can be repeated."""

    def __init__(self, base_url: str, key: str, timeout: float, attempts: int, patience: float) -> None:
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise PlumblineError(
                "The key cannot be used",
                "it is empty, or has a space or line break in it.",
                "Pass the key as it was shown when it was made, such as from an environment variable.",
            )
        address = urllib.parse.urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname or address.username:
            raise PlumblineError(
                "The address of the API cannot be used",
                "it is not an http or https address.",
                "Set base_url to what the quick start shows, such as https://api.example.com.",
            )
        self._base = base_url.rstrip("/")
        self._timeout, self._attempts, self._patience = timeout, attempts, patience
        self._opener = urllib.request.build_opener(_NoRedirect())
        # In a function of its own, so that no dump of the client's attributes shows the key.
        self._with_key: Callable[[str], urllib.request.Request] = lambda url: urllib.request.Request(
            url,
            headers={"x-api-key": key, "user-agent": f"plumbline-python/{VERSION}", "accept-encoding": "gzip"},
        )

    def pace(self) -> Pace:
        """A new count of attempts."""
        return Pace(self._attempts, self._patience, time.sleep)

    def open(self, path: str, query: Mapping[str, Any]) -> Answer:
        """Sends one request. Raises ApiError when it is refused, ConnectionFailed when no answer begins."""
        asked: Dict[str, str] = {}
        for name, value in query.items():
            if value is None:
                continue
            if isinstance(value, (list, tuple)):
                asked[name] = ",".join(value)
            else:
                asked[name] = str(value).lower() if isinstance(value, bool) else str(value)
        url = f"{self._base}{path}" + (f"?{urllib.parse.urlencode(asked)}" if asked else "")
        wait = float(asked.get("wait", 0))
        try:
            return Answer(self._opener.open(self._with_key(url), timeout=self._timeout + (wait + 30 if wait else 0)))
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except BROKEN as error:
            raise ConnectionFailed(getattr(error, "reason", error)) from error

    def json(self, path: str, query: Mapping[str, Any], wanted: Mapping[str, type]) -> Dict[str, Any]:
        """The JSON of `answer`."""
        return self.answer(path, query, wanted)[0]

    def answer(
        self, path: str, query: Mapping[str, Any], wanted: Mapping[str, type]
    ) -> Tuple[Dict[str, Any], Mapping[str, str]]:
        """
        Requests a JSON answer, repeatedly if needed, and returns it with its headers; `wanted` names members that it must have.
        Raises ApiError when the request is refused, ConnectionFailed when no whole answer arrives, UnexpectedAnswerError when the answer lacks them.
        """
        pace = self.pace()
        while True:
            try:
                with self.open(path, query) as answer:
                    value = parse(answer.body.read())
                if isinstance(value, dict) and all(isinstance(value.get(name), kind) for name, kind in wanted.items()):
                    return value, answer.headers
                raise UnexpectedAnswerError(path)
            except BROKEN as error:
                pace.after(ConnectionFailed(error))
            except ValueError:
                raise UnexpectedAnswerError(path) from None
            except PlumblineError as error:
                pace.after(error)
