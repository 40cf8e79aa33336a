// Starts `lacuna lsp`, which does the rest.
"use strict";
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("lacuna").get("command");
  client = new LanguageClient("lacuna", "Lacuna", { command, args }, {
    documentSelector: [{ language: "lacuna" }, { pattern: "**/module.toml" }, { pattern: "**/*.glsl" }],
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
