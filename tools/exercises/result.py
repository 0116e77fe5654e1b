# SPDX-License-Identifier: MIT
"""Runs a program with limits of time, memory, files and processes, and says how it ended. What it started ends with it."""

import contextlib
import ctypes
import functools
import glob
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from exercise import Failure

LIMIT_S = 20
ROOM_MB = 100
KEPT = 10**6
"""Characters of what a program writes. One that writes for ever would fill the memory."""
MEMORY_GB = 8
FILE_GB = 1
PROCESSES = 1000
ADVICE = "set TMPDIR to a folder with room that may contain programs"
# What compilers, linkers and shells say of what is no fault of the answer; of a line of the answer they say its number.
BROKEN = re.compile(
    r"^(?!.*:\d+:|\s*\d* \|).*(?:No space left|Disk quota|Read-only file system|Permission denied|Cannot create temporary"
    r"|can't open /|Killed signal|the emulator does not compile|cuda-on-cpu: cannot write).*",
    re.IGNORECASE | re.MULTILINE,
)
# An answer that kills its parent kills this shell, and ends with it: its next parent would be this process.
PARENT = 'exec 3>&2 2>/dev/null; ulimit -v "$0"; setpriv --pdeathsig KILL "$@" 2>&3 3>&-; exit $?'
PR_SET_CHILD_SUBREAPER = 36


@dataclass
class Result:
    code: int
    text: str
    """What the program wrote; of one that was stopped, what it had written."""
    timed_out: int = 0
    """The seconds after which it was stopped; 0: it came to its end."""
    words: list = field(default_factory=list)
    """What the judge says of it; last "judged" if the program came to its end."""
    began: bool = True
    """Whether the answer's program came as far as main()."""
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
        # Shells and mpirun say 128 + number; a shell that the answer has killed says nothing.
        number = -self.code if self.code < 0 else self.code - 128
        if number == signal.SIGXFSZ:
            return f"it wrote a file of more than {FILE_GB} GB"
        if "hard rss limit exhausted" in self.text:
            return f"it took more than {MEMORY_GB} GB of memory"
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


@functools.cache
def limit_all():
    """For this process and all that it starts; what they leave behind becomes a child of this one."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # The limit of processes is one of all threads of the user.
    threads = sum(owner(path) == os.getuid() for path in glob.glob("/proc/[0-9]*/task/*"))
    for kind, most in (
        (resource.RLIMIT_FSIZE, FILE_GB << 30),
        (resource.RLIMIT_NPROC, threads + PROCESSES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def owner(path):
    with contextlib.suppress(OSError):
        return os.stat(path).st_uid


def run(command, limit_s=None, memory_gb=None, **environment):
    """A variable that is None is not set. Without memory_gb, sanitizers and GPUs may map as much as they do."""
    limit_all()
    limit_s = limit_s or LIMIT_S
    variables = {name: value for name, value in (os.environ | environment).items() if value is not None}
    before = below()
    process = subprocess.Popen(
        ["/bin/sh", "-c", PARENT, str(memory_gb << 20) if memory_gb else "unlimited", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env=variables,
    )
    kept = []
    reader = threading.Thread(target=keep_beginning, args=(process.stdout, kept), daemon=True)
    waiter = threading.Thread(target=process.wait, daemon=True)
    in_time = False
    try:
        reader.start()
        waiter.start()
        in_time = ended(waiter, limit_s)
    finally:  # also after Ctrl-C
        if not in_time:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)  # then mpirun ends its ranks
            ended(reader, 3)
        end(process, before)
        ended(waiter, 3)
        ended(reader, 3)
    text = "".join(kept)
    return Result(process.returncode, text) if in_time else Result(128 + signal.SIGKILL, text, limit_s)


def ended(thread, limit_s):
    thread.join(limit_s)
    return not thread.is_alive()


def keep_beginning(stream, kept):
    with stream:
        kept.append(stream.read(KEPT))
        while stream.buffer.read(KEPT):
            pass


def require_whole(text):
    """Ends here if these words of a compiler tell of what is no fault of the answer."""
    broken = BROKEN.search(text)
    if broken:
        raise Failure(broken[0].strip() + (f"; {ADVICE}" if tempfile.gettempdir() in broken[0] else ""))


def below():
    """All processes that this one has started, or that these have."""
    children = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            parent = Path("/proc", number, "stat").read_text(errors="replace").rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(number))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return set(found[1:])


def end(process, before):
    """All that was started since. First they are stopped, so that none can start another."""
    latest = time.monotonic() + 5
    stopped = set()
    while time.monotonic() < latest and (left := below() - before):
        for one in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL if left <= stopped else signal.SIGSTOP)
        if left <= stopped:
            for one in left - {process.pid}:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(one, 0)
        stopped |= left
