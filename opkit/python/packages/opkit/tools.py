"""The program opkit, for what it alone can do."""

import json
import os
import shutil
import subprocess

import opkit_engine

from .errors import OpkitError, error_of


def executable():
    """$OPKIT_BIN; that of the SDK or build that this package is of; the one on PATH."""
    here = os.path.dirname(os.path.realpath(opkit_engine.__file__))
    candidates = [
        os.environ.get("OPKIT_BIN"),
        os.path.join(here, "..", "..", "..", "bin", "opkit"),
        os.path.join(here, "..", "cli", "opkit"),
        shutil.which("opkit"),
    ]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK):
            return os.path.normpath(candidate)
    raise OpkitError(
        "OPK-PYTHON-003", "the program opkit is not found", action="name it in OPKIT_BIN"
    )


def run(words):
    """What the command says as JSON. Raises what it says as an error."""
    done = subprocess.run(
        [executable(), *words, "--json", "--quiet"], capture_output=True, text=True, check=False
    )
    try:
        said = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        raise OpkitError(
            "OPK-PYTHON-003",
            f"opkit {words[0]} ended with {done.returncode} and no JSON: {done.stderr.strip()[-500:]}",
            action="run the command by hand",
        ) from error
    if isinstance(said, dict) and isinstance(said.get("error"), dict):
        raise error_of(said["error"])
    return said
