"""Neovim's client of `lacuna lsp`: the four lines of tools/editors/README.md, then what a user does."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

LACUNA = os.environ["LACUNA"]
ROOT = Path(__file__).resolve().parent.parent.parent
GRAPH = """lacuna:1
module:eaw:01
module:i-pfm:in
module:o-pfm:out
param:i-pfm:in:filename:"none.pfm"
param:o-pfm:out:filename:"out.pfm"
param:eaw:01:levls:4
connect:i-pfm:in:output:eaw:01:input
connect:eaw:01:output:o-pfm:out:input
"""
SCRIPT = """
local found = {}
local function lines() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') .. '\\n' end
local function ask(method, line, character, more)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = character } }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/' .. method, vim.tbl_extend('error', parameters, more or {}), 20000)
  for _, answer in pairs(answers) do return answer.result end
end
vim.cmd('edit graph.cfg')
vim.wait(20000, function() return #vim.diagnostic.get(0) == 2 end, 10)
found.diagnostics = vim.tbl_map(function(each) return { each.lnum, each.message } end, vim.diagnostic.get(0))
vim.api.nvim_buf_set_text(0, 6, 0, 6, 20, { 'param:eaw:01:levels:4' })
vim.wait(20000, function() return #vim.diagnostic.get(0) == 1 end, 10)
found.after = #vim.diagnostic.get(0)
found.hover = ask('hover', 6, 14).contents.value
found.definition = ask('definition', 6, 11).range.start.line
found.references = #ask('references', 1, 11, { context = { includeDeclaration = true } })
vim.api.nvim_win_set_cursor(0, { 2, 11 })
vim.lsp.buf.rename('fine')
vim.wait(20000, function() return lines():find('eaw:fine:input') ~= nil end, 10)
vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'param:eaw:fine:', '', '', 'fps : 12' })
vim.api.nvim_win_set_cursor(0, { 10, 15 })
found.completed = #ask('completion', 9, 15).items
vim.api.nvim_buf_set_lines(0, 9, 10, false, { 'param : eaw:fine:levels:3' })
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync({}, 20000) end
found.text = lines()
vim.fn.writefile({ vim.fn.json_encode(found) }, 'found.json')
vim.cmd('qall!')
"""


def settings():
    """Neovim's block of the README."""
    text = (ROOT / "tools/editors/README.md").read_text()
    return re.search(r"```lua\n(.*?)```", text, re.S)[1]


@unittest.skipUnless(shutil.which("nvim"), "no Neovim")
class Neovim(unittest.TestCase):
    def test_a_session(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            (place / "graph.cfg").write_text(GRAPH)
            (place / "init.lua").write_text(settings())
            (place / "session.lua").write_text(SCRIPT)
            environment = {**os.environ, "PATH": f"{Path(LACUNA).parent}:{os.environ['PATH']}", "HOME": folder, "XDG_CONFIG_HOME": folder}
            done = subprocess.run(["nvim", "--headless", "-n", "-u", "init.lua", "+luafile session.lua"], cwd=place, env=environment,
                                  timeout=120, stderr=subprocess.PIPE, text=True)
            self.assertTrue((place / "found.json").exists(), done.stderr)
            found = json.loads((place / "found.json").read_text())
        messages = sorted(map(tuple, found["diagnostics"]))
        self.assertEqual([line for line, _ in messages], [4, 6])
        self.assertEqual(messages[1][1], "eaw:01 has no parameter 'levls'\nhint: did you mean 'levels'?")
        self.assertEqual(found["after"], 1)
        self.assertIn("wavelet levels", found["hover"])
        self.assertEqual((found["definition"], found["references"]), (1, 4))
        self.assertGreater(found["completed"], 5)
        self.assertEqual(found["text"], GRAPH.replace("eaw:01", "eaw:fine").replace("levls", "levels")
                         + "param:eaw:fine:levels:3\n\nfps:12\n")


if __name__ == "__main__":
    unittest.main()
