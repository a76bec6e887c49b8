"use strict";

// Opens the page without a browser: [language, proof, pins, seeds, beacon] on standard input, what it shows on standard output.
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

class Part {
  constructor(name) {
    Object.assign(this, { name, children: [], own: "", handlers: {}, dataset: {}, value: "", hidden: false });
    this.classList = { toggle() {} };
  }
  set textContent(text) {
    this.own = text;
  }
  get textContent() {
    return [this.own, ...this.children.map((child) => child.textContent ?? child)].join("");
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  addEventListener(name, handler) {
    this.handlers[name] = handler;
  }
  focus() {
    this.focused = true;
  }
}

const [language, proof, pins, seeds, beacon] = JSON.parse(fs.readFileSync(0, "utf8"));
const folder = process.argv[2];
const html = fs.readFileSync(path.join(folder, "verify.html"), "utf8");
const ids = Object.fromEntries([...html.matchAll(/ id="([\w-]+)"/g)].map(([, id]) => [id, new Part(id)]));
const said = [...html.matchAll(/ data-text="(\w+)"/g)].map(([, text]) => Object.assign(new Part(text), { dataset: { text } }));
const document = Object.assign(new Part("document"), {
  documentElement: {},
  getElementById: (id) => ids[id],
  createElement: (name) => new Part(name),
  querySelectorAll: () => said,
});
const sandbox = vm.createContext({ document, navigator: { language }, TextDecoder, atob });
const load = (name) => vm.runInContext(fs.readFileSync(path.join(folder, name), "utf8"), sandbox, { filename: name });
for (const [, script] of html.matchAll(/<script src="([^"]+)"/g)) load(script);

(async () => {
  ids.pins.value = pins;
  ids.seeds.value = seeds;
  ids.beacon.value = beacon;
  await ids.file.handlers.change({ target: { files: [{ text: async () => proof }] } });
  const first = ids.verdict.textContent;
  ids.language.handlers.click();
  const words = vm.runInContext("({ ARABIC, PAGE_TEXTS, english: BalootVerifier.texts })", sandbox);
  const shown = { first, second: ids.verdict.textContent, verdict: ids.verdict.className, focused: ids.verdict.focused };
  console.log(JSON.stringify({ ...shown, direction: document.documentElement.dir, texts: said.map((part) => part.own), words }));
})();
