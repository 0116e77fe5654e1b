# SPDX-License-Identifier: MIT
import os
import re
import subprocess
from pathlib import Path

import pytest

EMULATOR = Path(__file__).parent.parent


class Folder:
    """A student's folder, where cuda-on-cpu is called."""

    def __init__(self, path):
        self.path = path

    def write(self, files):
        """Each file begins with a line `// its/name`, which is no part of it."""
        _, *parts = re.split(r"^// (\S+)\n", files, flags=re.MULTILINE)
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            (self.path / name).parent.mkdir(parents=True, exist_ok=True)
            (self.path / name).write_text(text)

    def read(self, name):
        return (self.path / name).read_text()

    def contents(self):
        return sorted(path.name for path in self.path.iterdir())

    def run(self, command, **environment):
        """(exit code, what it prints)"""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.path,
            env={**os.environ, "PATH": f"{EMULATOR}:{os.environ['PATH']}", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout


@pytest.fixture(scope="session")
def emulator(tmp_path_factory):
    """It is compiled, and no test is the first to hear of that."""
    Folder(tmp_path_factory.mktemp("none")).run("touch none.cpp && cuda-on-cpu -c none.cpp")


@pytest.fixture
def folder(tmp_path, emulator):
    return Folder(tmp_path)
