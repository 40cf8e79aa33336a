// Starts `lacuna lsp`, which does the rest.
"use strict";
const { languages, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// Other programs have files of this name, too: a graph's first line that is no comment is `lacuna:1`.
function claim(document) {
  const first = document.getText().split("\n").find((line) => !/^\uFEFF?\s*(#|$)/.test(line));
  if (document.languageId !== "lacuna" && document.fileName.endsWith(".cfg") && /^\uFEFF?\s*lacuna\s*:/.test(first))
    languages.setTextDocumentLanguage(document, "lacuna");
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(workspace.onDidOpenTextDocument(claim), workspace.onDidSaveTextDocument(claim));
  workspace.textDocuments.forEach(claim);
  const [command, ...args] = workspace.getConfiguration("lacuna").get("command");
  client = new LanguageClient("lacuna", "Lacuna", { command, args }, {
    documentSelector: [{ language: "lacuna" }, { pattern: "**/module.toml" }, { pattern: "**/*.glsl" }],
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
