"""The files of the pages: scripts, styles and pictures, at addresses that name their content.

An address holds the digest of all files, so what is there never changes and browsers keep it for a
year. Modules and pictures name each other relative to themselves and stay below one digest.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from flask import Response, request
from werkzeug.exceptions import NotFound

FOLDER = Path(__file__).parent / "static"
DIGEST_LENGTH = 16
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
YEAR_S = 31_536_000
IMPORT = re.compile(r'^(?:import|\} from|import [^"]* from) "\./([a-z_]+\.js)";$', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file as it is sent. packed: by gzip; nothing that is secret is ever packed with it."""

    body: bytes
    packed: bytes
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """All files by their names. imports: of each module those that it needs, and they need."""

    digest: str
    by_name: Mapping[str, File]
    imports: Mapping[str, Sequence[str]]


@cache
def files() -> Files:
    """Return the files as they were when they were asked for first."""
    paths = [path for path in sorted(FOLDER.iterdir()) if path.suffix in MEDIA_TYPES]
    bodies = {path.name: path.read_bytes() for path in paths}
    digest = hashlib.sha256()
    for name, body in bodies.items():
        digest.update(f"{name} {len(body)}\n".encode() + body)
    direct = {
        name: IMPORT.findall(body.decode()) for name, body in bodies.items() if name.endswith(".js")
    }
    return Files(
        digest=digest.hexdigest()[:DIGEST_LENGTH],
        by_name={name: _file(name, body) for name, body in bodies.items()},
        imports={name: sorted(_reached(name, direct)) for name in direct},
    )


def _file(name: str, body: bytes) -> File:
    media_type = MEDIA_TYPES[Path(name).suffix]
    return File(body=body, packed=gzip.compress(body, mtime=0), media_type=media_type)


def _reached(name: str, direct: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the modules that a module imports and those that they import, each once."""
    seen, waiting = {name}, [name]
    while waiting:
        for found in direct[waiting.pop()]:
            if found not in seen:
                seen.add(found)
                waiting.append(found)
                yield found


def imports_of(names: Sequence[str]) -> list[str]:
    """Return the modules that scripts need beside themselves, so that all are fetched at once."""
    found = {one for name in names for one in files().imports[name]}
    return sorted(found - set(names))


def answer(digest: str, name: str) -> Response:
    """Answer with a file; raises `NotFound` for another digest than that of the present files."""
    known = files()
    if digest != known.digest or name not in known.by_name:
        raise NotFound
    file = known.by_name[name]
    is_packed = request.accept_encodings["gzip"] > 0
    response = Response(file.packed if is_packed else file.body, mimetype=file.media_type)
    response.cache_control.public = True
    response.cache_control.max_age = YEAR_S
    response.cache_control.immutable = True
    response.vary.add("Accept-Encoding")
    if is_packed:
        response.content_encoding = "gzip"
    return response
