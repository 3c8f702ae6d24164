"""What is released: the wheel holds the package with its data and nothing else, and works by itself."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, ROOT

pytestmark = pytest.mark.slow

UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
LARGE = 1_000_000
"""Bytes. Larger files in the wheel are the built-in reader's networks."""


def uv(*arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    assert UV is not None
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [UV, *map(str, arguments)], env=clean | environment, cwd=ROOT, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if UV is None:
        pytest.skip("needs uv, which comes with vivavoce[dev]")
    folder = tmp_path_factory.mktemp("dist")
    built = uv("build", "--wheel", "--out-dir", folder)
    if built.returncode and "hatchling" in built.stderr:
        pytest.skip("needs hatchling, which can't be downloaded here")
    assert built.returncode == 0, built.stderr
    (found,) = folder.glob("vivavoce-*.whl")
    return found


def test_it_holds_the_package_and_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        sizes = {item.filename: item.file_size for item in archive.infolist()}
    package = {name for name in sizes if name.startswith("vivavoce/")}
    assert all(name.split("/")[0].endswith(".dist-info") for name in set(sizes) - package)
    source = ROOT / "src" / "vivavoce"
    tracked = {
        f"vivavoce/{path.relative_to(source)}"
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package == tracked
    assert "vivavoce/py.typed" in package
    for ending in (".onnx", ".yaml", ".html", ".css", ".js", ".json"):
        assert any(name.endswith(ending) for name in package), ending
    large = [name for name in package if sizes[name] > LARGE]
    assert all(name.startswith("vivavoce/readers/builtin/weights/") for name in large)


def test_installed_into_an_empty_folder_it_answers(wheel: Path, tmp_path: Path) -> None:
    folders = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    installed = uv("tool", "install", "--python", sys.executable, wheel, **folders)
    if installed.returncode and "Failed to fetch" in installed.stderr:
        pytest.skip("needs packages that can't be downloaded here")
    assert installed.returncode == 0, installed.stderr
    shutil.copy(EXAMPLES / "papers" / "bird-songs.pdf", tmp_path)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    asked = subprocess.run(
        [tmp_path / "bin" / "viva", "ask", "bird-songs.pdf", "Where is the authors' code?", "--json"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        text=True,
    )
    assert asked.returncode == 0, asked.stderr
    answer = json.loads(asked.stdout)["verdict"]
    assert answer["status"] == "reported"
    assert "https://github.com/example-org/dawn-chorus-eleven" in answer["evidence"][0]["quote"]
