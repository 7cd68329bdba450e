import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectProofs, type FilledTable, fillTable, unexplained } from "./conformance-table.ts";
import { readSources, root } from "./source-files.ts";

const PAGE = "docs/conformance.md";

const { proofs, problems } = collectProofs(readSources("src", "test"));
const page = readFileSync(join(root, PAGE), "utf8");
const filled = fillTable(page, proofs);
problems.push(...filled.problems, ...unexplained(filled.text));

if (process.argv.includes("--write")) writeFileSync(join(root, PAGE), filled.text);
else if (filled.text !== page) problems.push(`${PAGE} is out of date: run npm run conformance`);

printSummary(filled.groups);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function printSummary(groups: FilledTable["groups"]): void {
  for (const { name, proven, total } of groups) console.log(`${name.padEnd(12)} ${proven} of ${total}`);
  const sum = (count: "proven" | "total") => groups.reduce((all, group) => all + group[count], 0);
  console.log(`${"all".padEnd(12)} ${sum("proven")} of ${sum("total")} proven`);
}
