"""Build the wheel, install it without extras in a fresh environment, and settle a round there."""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SCRIPT = "import pitboss; print(pitboss.play(pitboss.rules('let-it-ride', '2024-06-01'), seed=1).finish().settlement)"
with tempfile.TemporaryDirectory() as folder:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, str(Path(__file__).parents[1])], check=True)
    venv.create(Path(folder) / "env")
    python = str(Path(folder) / "env" / "bin" / "python")
    wheels = map(str, Path(folder).glob("*.whl"))
    subprocess.run([*pip, "--python", python, "install", "--no-compile", *wheels], check=True)
    subprocess.run([python, "-I", "-W", "error", "-c", SCRIPT], check=True, cwd=folder)
