"""A Slurm of one machine and several nodes, without munge, in a folder of its own."""
import getpass
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

SETTINGS = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmdTimeout=10
KillWait=5
ReturnToService=2
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def wait_until(what, condition, seconds=120):
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"{seconds} s, but not {what}")
        time.sleep(0.05)
    return found


class Slurm:
    def __init__(self, folder, nodes):
        self.folder, self.nodes = Path(folder), nodes
        host, ports = socket.gethostname().split(".")[0], self._free_ports(1 + len(nodes))
        text = SETTINGS.format(host=host, port=ports[0], folder=folder, user=getpass.getuser())
        for node, port in zip(nodes, ports[1:]):
            text += f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 State=UNKNOWN\n"
            (self.folder / f"spool-{node}").mkdir()
        (self.folder / "state").mkdir()
        self.settings = self.folder / "slurm.conf"
        self.settings.write_text(text)
        self.environment = {**os.environ, "SLURM_CONF": str(self.settings)}

    def __enter__(self):
        self.call("slurmctld", "-c", "-f", self.settings)
        wait_until("slurmctld answers", lambda: "UP" in self.call("scontrol", "ping", check=False))
        for node in self.nodes:
            self.start(node)
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            self.lose(node)
        self._kill(self.folder / "slurmctld.pid", signal.SIGTERM)  # which removes the file when its state is saved
        wait_until("slurmctld has ended", lambda: not (self.folder / "slurmctld.pid").exists())

    def call(self, *words, check=True):
        return subprocess.run([str(word) for word in words], env=self.environment, check=check, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def start(self, node):
        self.call("slurmd", "-N", node, "-f", self.settings)
        wait_until(f"{node} is idle", lambda: "idle" in self.call("sinfo", "-h", "-n", node, "-o", "%T"))

    def lose(self, node):
        """What a power failure does: the node's daemon and everything below it are gone at once."""
        for step in self._processes("slurmstepd", f"SLURMD_NODENAME={node}"):
            self._kill_tree(step)
        self._kill(self.folder / f"{node}.pid", signal.SIGKILL)

    def state(self, job):
        """The words for all of its tasks that are not finished."""
        return set(self.call("squeue", "-h", "-j", job, "-o", "%T", check=False).split()) & {
            "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED"}

    def without_delay(self, job):
        """Slurm lets requeued tasks wait for two minutes, in case that other programs still end. They begin now; state()."""
        state = self.state(job)
        if "PENDING" in state:
            self.call("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)  # some may have begun meanwhile
        return state

    @staticmethod
    def _free_ports(count):
        sockets = [socket.socket() for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        ports = [each.getsockname()[1] for each in sockets]
        for each in sockets:
            each.close()
        return ports

    @staticmethod
    def _kill(pid_file, number):
        try:
            os.kill(int(pid_file.read_text()), number)
        except (FileNotFoundError, ProcessLookupError):
            pass

    @staticmethod
    def _processes(name, setting):
        """Tasks on a node have its name in their environment; their parents are the daemons that started them."""
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if setting in (folder / "environ").read_bytes().decode(errors="replace").split("\0"):
                    parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                    if name in (Path("/proc") / str(parent) / "comm").read_text():
                        found.add(parent)
            except (OSError, ValueError):
                pass  # it has ended
        return found

    @classmethod
    def _kill_tree(cls, pid):
        children = subprocess.run(["pgrep", "-P", str(pid)], text=True, stdout=subprocess.PIPE, check=False).stdout
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        for child in children.split():
            cls._kill_tree(int(child))
