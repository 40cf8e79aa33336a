"""Runs examples/notebook.ipynb as Jupyter would. `notebook_test.py --save` keeps what its cells show."""
import ast
import base64
import contextlib
import io
import json
import os
import sys
import unittest

from support import ROOT

NOTEBOOK = ROOT / "examples/notebook.ipynb"


def shown(value):
    """What a notebook keeps of a cell's last value."""
    data = {"text/plain": repr(value)}
    if hasattr(value, "_repr_png_"):
        data = {"image/png": base64.b64encode(value._repr_png_()).decode(), "text/plain": type(value).__name__}
    return {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}


def run(source, names):
    """The outputs of a cell."""
    cell, last = ast.parse(source), None
    if isinstance(cell.body[-1], ast.Expr):
        last = ast.Expression(cell.body.pop().value)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(cell, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    text = printed.getvalue()
    return ([{"output_type": "stream", "name": "stdout", "text": text}] if text else []) + ([shown(value)] if value is not None else [])


def run_all():
    before = os.getcwd()
    os.chdir(NOTEBOOK.parent)
    try:
        notebook, names = json.loads(NOTEBOOK.read_text()), {}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                yield cell, run(cell["source"], names)
        if "--save" in sys.argv:
            NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    finally:
        os.chdir(before)


class Notebook(unittest.TestCase):
    def test_shows_what_it_has_kept(self):
        def kinds(outputs):
            return [sorted(output.get("data", output["output_type"])) for output in outputs]

        for cell, outputs in run_all():
            with self.subTest(cell=cell["source"]):
                self.assertEqual(kinds(outputs), kinds(cell["outputs"]))


if __name__ == "__main__":
    if "--save" in sys.argv:
        for each, made in run_all():
            each["outputs"] = made
    else:
        unittest.main()
