"""Builds this package with the standard library alone: a PEP 517 backend, and a program (`python3 build_wheel.py [folder]`)."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, Optional

HERE = Path(__file__).resolve().parent
NAME = "plumbline"
VERSION = re.findall(r'^VERSION = "([^"]+)"$', (HERE / NAME / "_version.py").read_text("utf-8"), re.MULTILINE)[0]

METADATA = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Client of the Plumbline data API: lists, exports, changes, and a sync that proves its copy complete
License: Proprietary
Requires-Python: >=3.9
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{(HERE / "README.md").read_text("utf-8")}"""

WHEEL = f"Wheel-Version: 1.0\nGenerator: {NAME} {VERSION}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"

#: The oldest time that a zip file can name, so that the same sources give the same bytes.
MOMENT = (1980, 1, 1, 0, 0, 0)


def _sources() -> Dict[str, bytes]:
    found = sorted(path for path in (HERE / NAME).iterdir() if path.suffix == ".py" or path.name == "py.typed")
    return {f"{NAME}/{path.name}": path.read_bytes() for path in found}


def _record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def build_wheel(
    wheel_directory: str, config_settings: Optional[dict] = None, metadata_directory: Optional[str] = None
) -> str:
    """Writes the wheel into a folder, and returns its file name."""
    info = f"{NAME}-{VERSION}.dist-info"
    files = {**_sources(), f"{info}/METADATA": METADATA.encode(), f"{info}/WHEEL": WHEEL.encode()}
    record = "".join(_record_line(name, content) for name, content in files.items()) + f"{info}/RECORD,,\n"
    file_name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / file_name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in {**files, f"{info}/RECORD": record.encode()}.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    return file_name


def build_sdist(sdist_directory: str, config_settings: Optional[dict] = None) -> str:
    """Writes the sources as an archive into a folder, and returns its file name."""
    base = f"{NAME}-{VERSION}"
    beside = ["pyproject.toml", "build_wheel.py", "README.md", "CHANGELOG.md"]
    files = {**_sources(), **{name: (HERE / name).read_bytes() for name in beside}, "PKG-INFO": METADATA.encode()}
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{base}.tar.gz"


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    print(folder / build_wheel(str(folder)))
