"use strict";

// Verifies what each line of standard input asks for, in one process: [proof, pins, seeds] to a verdict.
const { createInterface } = require("node:readline");
const { verify } = require(process.argv[2]);

createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(verify(...JSON.parse(line))) + "\n");
});
