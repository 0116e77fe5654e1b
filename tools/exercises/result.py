# SPDX-License-Identifier: MIT
"""Runs a program under a time limit, and says how it ended."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

from exercise import Failure

LIMIT_S = 20
ROOM_MB = 100
KEPT = 10**6
"""Characters of what a program writes. One that writes for ever would fill the memory."""
ADVICE = "set TMPDIR to a folder with room that may contain programs"
# What compilers, linkers, shells and mpirun say of what is no fault of the answer.
BROKEN = re.compile(
    ".*(?:No space left|Disk quota|Read-only file system|Permission denied|Cannot create temporary|can't open /|Killed signal"
    "|runtime does not come first|ReserveShadowMemoryRange failed|Sanitizer failed to allocate|Sanitizer: unexpected memory"
    "|unable to launch|not enough slots|_init failed|the emulator does not compile|cuda-on-cpu: cannot write).*",
    re.IGNORECASE,
)


@dataclass
class Result:
    code: int
    text: str
    """What the program wrote; of one that was stopped, what it had written."""
    timed_out: int = 0
    """The seconds after which it was stopped; 0: it came to its end."""
    words: list = field(default_factory=list)
    """What the judge says of it; last "judged" if the program came to its end."""
    mistakes: list = field(default_factory=list)
    """What `cuda-on-cpu check` found, without the remedies: they are for the hints."""

    @property
    def judged(self):
        return not self.timed_out and self.words[-1:] == ["judged"]

    @property
    def right(self):
        return self.judged and self.code == 0 and not self.wrong

    @property
    def wrong(self):
        return [word.removeprefix("wrong: ") for word in self.words if word.startswith("wrong: ")][:1]

    def rows(self, kind):
        """The judge's words `kind,...`, split at the commas."""
        return [word.split(",")[1:] for word in self.words if word.startswith(f"{kind},")]

    def message(self):
        """What the judge says is wrong, and how the program ended if it does not."""
        lines = self.wrong
        if not lines and not (self.mistakes and self.code == 1):  # check ends with 1
            ending = [] if self.mistakes else [line[:200] for line in self.text.splitlines()[-7:]]
            lines = [self.how_it_ended(), *ending]
        return "\n".join([*lines, *self.mistakes[:1]])

    def how_it_ended(self):
        if self.timed_out:
            return f"it was stopped after {self.timed_out} s; is there a loop that never ends?"
        number = -self.code if self.code < 0 else self.code - 128  # the second is what mpirun says
        for one in signal.Signals:
            if one == number:
                return f"it ended with {one.name}"
        return "it ended early; does the answer call exit()?"


def require_temporary_folder():
    """The compilers write there, and what they make runs there."""
    folder = os.environ.get("TMPDIR") or "/tmp"
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            os.chmod(file.name, 0o700)
            if not os.access(file.name, os.X_OK):
                raise Failure(f"programs may not run in {folder}: it is mounted with noexec; {ADVICE}")
        state = os.statvfs(folder)
        if state.f_bavail * state.f_frsize < ROOM_MB << 20:
            raise Failure(f"{folder} has less than {ROOM_MB} MB left; {ADVICE}")
    except OSError as error:
        raise Failure(f"cannot write into {folder}: {error.strerror}; {ADVICE}") from None


def run(command, limit_s=None, **environment):
    limit_s = limit_s or LIMIT_S
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=os.environ | environment,
    )
    kept = []
    reader = threading.Thread(target=keep_beginning, args=(process.stdout, kept), daemon=True)
    reader.start()
    in_time = False
    try:
        in_time = ended(process, reader, limit_s)
    finally:  # also after Ctrl-C
        if not in_time:
            stop(process, reader)
    text = "".join(kept)
    if not in_time:
        return Result(-signal.SIGKILL, text, limit_s)
    said = re.sub(r"^ *\d* \|.*", "", text, flags=re.MULTILINE)  # without the answer's lines that compilers show
    broken = process.returncode != 0 and BROKEN.search(said)
    if broken:
        raise Failure(broken[0].strip() + (f"; {ADVICE}" if tempfile.gettempdir() in broken[0] else ""))
    return Result(process.returncode, text)


def keep_beginning(stream, kept):
    with stream:
        kept.append(stream.read(KEPT))
        while stream.buffer.read(KEPT):
            pass


def ended(process, reader, limit_s):
    """Whether it and all that write for it end within the limit."""
    latest = time.monotonic() + limit_s
    reader.join(limit_s)
    try:
        process.wait(max(0.1, latest - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return not reader.is_alive()


def stop(process, reader):
    for number in (signal.SIGTERM, signal.SIGKILL):  # after the first, mpirun ends its ranks
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        if ended(process, reader, 3):
            return
