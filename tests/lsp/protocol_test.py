"""The protocol: order of messages, positions, URIs, and hostile input."""
import json
import os
import random
import select
import unittest

from client import Client, Failed, apply
from support import BODY, GRAPH, MODULE, ServerTest

INVALID_REQUEST, UNKNOWN, PARAMETERS, PARSE, EARLY = -32600, -32601, -32602, -32700, -32002


class Life(ServerTest):
    def code(self, client, method, parameters=None):
        with self.assertRaises(Failed) as raised:
            client.ask(method, parameters)
        return raised.exception.code

    def test_ends_with_0_behind_shutdown(self):
        client = self.opened()
        client.ask("shutdown")
        self.assertEqual(self.code(client, "textDocument/hover", {}), INVALID_REQUEST)
        client.tell("exit")
        self.assertEqual(client.close(), 0)

    def test_says_nothing_behind_shutdown(self):
        client = self.opened(GRAPH.replace("levels", "levls"))  # its mistakes would come now
        client.ask("shutdown")
        self.assertEqual(select.select([client.process.stdout], [], [], 1)[0], [])

    def test_ends_with_1_without_shutdown(self):
        client = self.opened()
        client.tell("exit")
        self.assertEqual(client.close(), 1)

    def test_ends_with_the_editor(self):
        client = self.opened()
        self.assertEqual(client.close(), 1)
        client = self.client(initialize=False)
        self.assertEqual(client.close(), 1)

    def test_requests_before_initialize_are_refused(self):
        client = self.client(initialize=False)
        for method in ("textDocument/hover", "shutdown", "nonsense"):
            self.assertEqual(self.code(client, method), EARLY)
        client.tell("textDocument/didOpen", {"nonsense": 1})
        client.ask("initialize", {"capabilities": {}})
        self.assertEqual(self.code(client, "initialize", {"capabilities": {}}), INVALID_REQUEST)
        self.finish(client)

    def test_exit_before_initialize(self):
        client = self.client(initialize=False)
        client.tell("exit")
        self.assertEqual(client.close(), 1)

    def test_unknown_methods(self):
        client = self.client()
        for method in ("nonsense", "textDocument/nonsense", "textDocument/", "", "$/x", "workspace/symbol"):
            self.assertEqual(self.code(client, method, {}), UNKNOWN)
        for method in ("nonsense", "$/cancelRequest", "workspace/didChangeConfiguration", "textDocument/willSave"):
            client.tell(method, {})
        client.send({"id": 77, "result": None})  # an answer, though nothing was asked
        self.finish(client)

    def test_wrong_parameters(self):
        client = self.opened()
        here = {"uri": client.uri("graph.cfg")}
        for parameters in ({}, [], None, {"textDocument": 3}, {"textDocument": {"uri": 3}}, {"textDocument": {"uri": "file:///none.cfg"}},
                           {"textDocument": here, "position": {}}, {"textDocument": here, "position": {"line": "1", "character": 1}},
                           {"textDocument": here, "position": {"line": .5, "character": 1}}, {"textDocument": here, "position": 3}):
            self.assertEqual(self.code(client, "textDocument/hover", parameters), PARAMETERS, parameters)
        self.assertEqual(self.code(client, "textDocument/rename", {"textDocument": here, "position": {"line": 3, "character": 15}}), PARAMETERS)
        for method in ("didOpen", "didChange", "didClose", "didSave"):
            for parameters in ({}, [], {"textDocument": here}, {"textDocument": {**here, "version": 2}, "contentChanges": []}, 3):
                client.tell(f"textDocument/{method}", parameters)
        client.open("graph.cfg", GRAPH)
        self.assertEqual(client.messages("graph.cfg"), [])
        self.finish(client)

    def test_positions_beyond_the_text(self):
        client = self.opened()
        for line, character in ((10 ** 9, 0), (0, 10 ** 9), (-5, -5), (2 ** 63, 2 ** 64 - 1), (3, 2 ** 40)):
            for method in ("hover", "completion", "definition", "references", "signatureHelp"):
                client.at("graph.cfg", line, character, method)
        self.finish(client)

    def test_the_identity_of_a_request_comes_back(self):
        client = self.client()
        for number in ("word", 0, -1, 2 ** 40, 1.5, None):
            client.send({"id": number, "method": "nonsense"})
            self.assertEqual(client.receive()["id"], number)
        for number in ([], {}):
            client.send({"id": number, "method": "nonsense"})
            self.assertIsNone(client.receive()["id"])
        self.finish(client)

    def test_help(self):
        client = Client(self.folder, "--help", initialize=False)
        self.assertIn(b"a language server", client.process.stdout.read())
        self.assertEqual(client.close(), 0)


class Messages(ServerTest):
    def wrong(self, data, code, ends=False):
        """The server answers with this error, and goes on, or ends where the next message can't be found."""
        client = self.client(initialize=False)
        client.write(data)
        answer = client.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), (None, code), data[:100])
        if ends:
            self.assertEqual(client.close(), 1)
        else:
            self.assertIn("capabilities", client.ask("initialize", {"capabilities": {}}))
            self.finish(client)

    def test_lengths_that_are_none_or_too_large(self):
        for word in (b"x", b"", b"-1", b"1.5", b"99999999999999999999", b"0x10", b"20000000"):
            self.wrong(b"Content-Length: " + word + b"\r\n\r\n{}", INVALID_REQUEST, ends=True)

    def test_too_short_and_too_long(self):
        body = b'{"id":1,"method":"x"}'
        self.wrong(b"Content-Length: 5\r\n\r\n" + body + b"\r\n\r\n", PARSE, ends=True)
        self.wrong(b"Content-Length: 42\r\n\r\n" + body + b"Content-Length: 2\r\n\r\n{}\r\n\r\n", PARSE, ends=True)

    def test_headers_that_are_none(self):
        for data in (b"Content-Length: 5" + b"x" * 10000, b"x" * 10000, b"\r\n\r\n", b"Content-Type: x\r\n\r\n{}"):
            self.wrong(data, INVALID_REQUEST, ends=True)

    def test_what_is_no_json_or_no_message(self):
        for body, code in ((b"", PARSE), (b"{", PARSE), (b"\xff", PARSE), (b'{"method":"\xff"}', PARSE), (b"[" * 100000, PARSE),
                           (b"[]", INVALID_REQUEST), (b"3", INVALID_REQUEST), (b"null", INVALID_REQUEST),
                           (b'{"method":3}', INVALID_REQUEST), (b'{"method":null,"id":null}', INVALID_REQUEST)):
            self.wrong(b"Content-Length: %d\r\n\r\n" % len(body) + body, code)

    def test_deep_json(self):
        deep = b"[" * 500000 + b"]" * 500000
        for body in (b'{"method":"x","id":null,"params":' + deep + b"}", b'{"method":"x","id":' + deep + b"}"):
            self.wrong(b"Content-Length: %d\r\n\r\n" % len(body) + body, EARLY)

    def test_byte_by_byte_and_all_at_once(self):
        client = self.client(initialize=False)
        body = json.dumps({"id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        for byte in b"Content-Type: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body:
            client.write(bytes([byte]))
        self.assertIn("capabilities", client.answer(1))
        hovers = [json.dumps({"id": i, "method": "nonsense"}).encode() for i in range(2, 500)]
        client.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(each) + each for each in hovers))
        self.assertEqual([client.receive()["id"] for _ in hovers], list(range(2, 500)))
        client.number = 500
        self.finish(client)


class Positions(ServerTest):
    TEXT = 'lacuna:1\nmodule:i-file:in\nparam:i-file:in:filename:"𝄞é.pfm" # ü𝄞\nparam:i-file:in:flename:"𝄞"\n'

    def test_count_utf_16_units(self):
        client = self.opened(self.TEXT)
        self.assertEqual(client.capabilities["positionEncoding"], "utf-16")
        self.assertIn("3:16-23 i-file:in has no parameter 'flename'\nhint: did you mean 'filename'?", client.messages("graph.cfg"))
        found = client.at("graph.cfg", 2, 33, "hover")
        self.assertEqual(found["range"], {"start": {"line": 2, "character": 25}, "end": {"line": 2, "character": 34}})
        self.assertIsNone(client.at("graph.cfg", 2, 35, "hover"))

    def test_count_bytes_if_the_editor_offers_that(self):
        client = self.opened(self.TEXT, encodings=["utf-32", "utf-8", "utf-16"])
        self.assertEqual(client.capabilities["positionEncoding"], "utf-8")
        found = client.at("graph.cfg", 2, 36, "hover")
        self.assertEqual(found["range"], {"start": {"line": 2, "character": 25}, "end": {"line": 2, "character": 37}})
        self.assertIsNone(client.at("graph.cfg", 2, 38, "hover"))

    def test_other_encodings_are_utf_16(self):
        for encodings in (["utf-32"], ["utf-16"], [], "utf-8", 3):
            client = self.client(encodings=encodings)
            self.assertEqual(client.capabilities["positionEncoding"], "utf-8" if encodings == "utf-8" else "utf-16")

    def test_line_ends_of_windows(self):
        client = self.opened(GRAPH.replace("\n", "\r\n").replace("levels", "levls"))
        self.assertEqual(client.messages("graph.cfg"), ["6:13-18 eaw:01 has no parameter 'levls'\nhint: did you mean 'levels'?"])
        found = client.on("graph.cfg", "out.pfm", "hover")
        self.assertEqual(found["range"]["start"], {"line": 8, "character": 26})
        self.assertEqual(client.complete("graph.cfg", "lacuna:1\r\nmodule:ea")[0], "accum")
        item, = client.at("graph.cfg", 0, 80, "completion")["items"]
        self.assertEqual(item["textEdit"]["range"]["end"]["character"], len("lacuna:1"))

    def test_a_byte_order_mark(self):
        client = self.opened("\ufeff" + GRAPH)
        self.assertEqual(client.messages("graph.cfg"), [])
        self.assertEqual(client.at("graph.cfg", 0, 2, "hover")["range"]["start"], {"line": 0, "character": 1})

    def test_names_of_files_with_anything(self):
        for name in ("with space.cfg", "100%.cfg", "hash#question?.cfg", "größe 𝄞.cfg", "a+b&c=d;e,f.cfg", "quote'\".cfg", "back\\slash.cfg"):
            (self.folder / "part of.cfg").write_text("module:eaw:01\nparam:eaw:01:levls:4\n")
            text = GRAPH.replace("module:eaw:01\n", 'include:"part of.cfg"\n')
            client = self.opened(text, name)
            self.assertTrue(client.messages("part of.cfg", of=name), name)
            place = client.on(name, "eaw:01", "definition", 5)
            self.assertEqual(place["uri"], client.uri("part of.cfg"))
            self.finish(client)

    def test_uris_that_are_odd(self):
        client = self.client()
        for uri in ("", "file:", "file://", "file:///", "file:///%", "file:///%zz%4", "file:///%00x.cfg", "file://host/x.cfg", "git:/x.cfg",
                    "file:///../../x.cfg", "x" * 100000, "file:///" + "a/" * 50000):
            client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "version": 1, "text": "lacuna:1\ninclude:x.cfg\n"}})
            client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.finish(client)

    def test_many_lines(self):
        chain = "".join(f"module:exposure:e{i}\nparam:exposure:e{i}:stops:0.1\nconnect:exposure:e{i - 1}:output:exposure:e{i}:input\n"
                        for i in range(1, 1660))
        client = self.opened("lacuna:1\nmodule:exposure:e0\n" + chain)
        self.assertEqual(client.texts["graph.cfg"].count("\n"), 4979)
        self.assertIn("the input 'input' of exposure:e0 is not connected", "\n".join(client.messages("graph.cfg")))
        self.assertEqual(len(client.on("graph.cfg", "e800", "references")), 4)
        changes = client.on("graph.cfg", "e800", "rename", newName="x")["changes"][client.uri("graph.cfg")]
        self.assertEqual(apply(client.texts["graph.cfg"], changes), client.texts["graph.cfg"].replace("e800", "x"))
        self.finish(client)


class Random(ServerTest):
    METHODS = ("hover", "completion", "definition", "references", "signatureHelp")
    PIECES = ("param:", "eaw:01", ":", "\n", '"', "\\", "#", "𝄞", "é", " ", "\r\n", "connect:i-file:in:output:", "module:", "include:graph.cfg",
              "keyframe:0:", "levels", "4", "\t", "\0", "\ufeff", "include:", "write:", "x" * 5000, "module:eaw:01\n" * 50)

    def test_bytes(self):
        draw = random.Random(int(os.environ.get("LACUNA_TEST_SEED", 1)))
        body = json.dumps({"id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        for _ in range(60):
            data = bytearray(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            for _ in range(draw.randrange(1, 6)):
                data[draw.randrange(len(data))] = draw.randrange(256)
            client = self.client(initialize=False)
            client.write(bytes(data))
            self.assertEqual(client.close(), 1)
            self.assertEqual(client.errors, "")

    def edit(self, name, text, count):
        draw = random.Random(int(os.environ.get("LACUNA_TEST_SEED", 7)))
        client = self.opened(text, name, encodings=draw.choice((["utf-8"], ["utf-16"])))
        now = text
        for step in range(count):
            at = draw.randrange(len(now) + 1)
            now = now[:at] + draw.choice(self.PIECES) + now[at + draw.choice((0, 0, 1, 5, 40)):]
            now = now if len(now) < 40000 else text
            client.change(name, now)
            lines = now.split("\n")
            line = draw.randrange(len(lines) + 1)
            character = draw.randrange(len(lines[min(line, len(lines) - 1)]) + 2)
            client.at(name, line, character, draw.choice(self.METHODS))
            client.of(name, draw.choice(("documentSymbol", "foldingRange", "semanticTokens/full", "formatting")), options={})
            if step % 10 == 0:
                client.messages(name)
        client.change(name, text)
        self.assertEqual(client.messages(name), [])
        self.finish(client)

    def test_edits_of_a_graph(self):
        self.edit("graph.cfg", GRAPH, 150)

    def test_edits_of_a_module(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/main.glsl").write_text(BODY)
        self.edit("mine/module.toml", MODULE, 150)

    def test_words_are_completed_as_in_the_whole_graph(self):
        """At the end of each word of a graph its own word is offered."""
        text = GRAPH.replace(" # coarse", "").replace("levels:4", "levels:5").replace("out.pfm", "graph.png")
        client = self.opened(text)
        draw = random.Random(int(os.environ.get("LACUNA_TEST_SEED", 3)))
        for line in draw.sample(text.splitlines(), 8):
            words = line.split(":")
            for index in range(len(words) if line and not line.startswith("#") else 0):
                begun = ":".join(words[:index]) + (":" if index else "")
                number = text.split("\n").index(line)
                items = client.at("graph.cfg", number, len(begun), "completion")["items"]
                made = [apply(line[:len(begun)], [{**item["textEdit"], "range": {end: {"line": 0, "character": place["character"]} for end, place in
                                                                              item["textEdit"]["range"].items()}}]) for item in items]
                self.assertTrue(any(line.startswith(each.rstrip('"')) and len(each) > len(begun) for each in made), (line, begun, made))


if __name__ == "__main__":
    unittest.main()
