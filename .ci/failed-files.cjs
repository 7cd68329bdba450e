// Prints the test files of a Vitest report in which something failed, a line each, relative to this folder. Old Nodes must be able to run this.
const { existsSync, readFileSync } = require("node:fs");
const { relative } = require("node:path");

const report = process.argv[2];
const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
for (const { name, status } of files) if (status === "failed") console.log(relative(process.cwd(), name));
