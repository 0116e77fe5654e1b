# SPDX-License-Identifier: MIT
"""A Slurm of one node, in a new folder: munged, slurmctld and slurmd, started and stopped by a test."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

SBIN = os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
CONFIGURATION = """\
ClusterName=convolab_test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
MpiDefault=none
ReturnToService=2
KillWait=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobRequeue=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=only Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class CannotRun(Exception):
    """Why there is no Slurm here."""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        missing = [program for program in PROGRAMS if not shutil.which(program, path=SBIN)]
        if missing:
            raise CannotRun(
                f"Slurm is not installed: no {', '.join(missing)} (Debian and Ubuntu: slurmctld slurmd "
                "slurm-client munge)"
            )
        self.folder = Path(folder)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        host = socket.gethostname().split(".")[0]
        configuration = self.folder / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(
                host=host,
                folder=self.folder,
                user=pwd.getpwuid(os.getuid()).pw_name,
                ports=free_ports(2),
                cpus=os.cpu_count(),
            )
        )
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        self.environment = {"SLURM_CONF": str(configuration), "PATH": SBIN}
        self.pid_files = []
        try:
            self.start(
                "munged",
                "--force",
                f"--socket={self.folder}/munge.sock",
                f"--key-file={key}",
                f"--log-file={self.folder}/munged.log",
                f"--seed-file={self.folder}/munged.seed",
                f"--pid-file={self.folder}/munged.pid",
            )
            self.start("slurmctld", "-c", "-f", configuration)
            self.start("slurmd", "-f", configuration)
            self.wait_until(lambda: "idle" in self.ask("sinfo", "-h", "-o", "%T"), 20, "the node is not idle")
        except (CannotRun, AssertionError) as why:
            self.stop()
            raise CannotRun(f"Slurm does not run here: {why}") from None

    def start(self, program, *arguments):
        self.pid_files.append(self.folder / f"{program}.pid")
        with open(self.folder / f"{program}.out", "w", encoding="utf-8") as words:
            done = subprocess.run(
                [program, *map(str, arguments)],
                env={**os.environ, **self.environment},
                stdout=words,
                stderr=words,
                timeout=30,
                check=False,
            )
        if done.returncode:
            raise CannotRun(f"{program}: {(self.folder / f'{program}.out').read_text()[-300:].strip()}")

    def stop(self):
        """Ends the jobs that a failed test has left, then the daemons in reverse order, by their process ids."""
        if len(self.pid_files) == 3:
            self.ask("scancel", f"--user={pwd.getpwuid(os.getuid()).pw_name}")
            try:
                self.wait_until(lambda: not self.ask("squeue", "-h").strip(), 30, "a job does not end")
            except AssertionError:  # or the controller does not answer
                pass
        for path in reversed(self.pid_files):
            try:
                number = int(path.read_text())
                os.kill(number, signal.SIGTERM)
                self.wait_until(lambda at=number: not Path(f"/proc/{at}").exists(), 10, f"{path.stem} does not end")
            except (OSError, ValueError, AssertionError):
                continue

    def ask(self, *command, cwd=None):
        """The words of a command of Slurm."""
        return subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        ).stdout

    @staticmethod
    def wait_until(condition, seconds, words):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(words() if callable(words) else words)
            time.sleep(0.1)
