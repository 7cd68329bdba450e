import { commandProblems } from "./command-rules.ts";
import { floorProblems } from "./floor-rules.ts";
import { hintProblems } from "./hint-rules.ts";
import { pageProblems } from "./page-rules.ts";
import { PROSE_ADAPTERS } from "./prose-adapters.ts";
import { proseProblems } from "./prose-rules.ts";
import { readSources } from "./source-files.ts";

const files = readSources("src");
const pages = readSources("web/src");
const problems = [
  ...floorProblems(files),
  ...commandProblems(files),
  ...pageProblems(pages, files),
  ...proseProblems(new Map([...files, ...pages]), PROSE_ADAPTERS),
  ...hintProblems(new Map([...files, ...pages])),
];
for (const problem of problems) console.error(problem);
console.log(`${files.size + pages.size} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
