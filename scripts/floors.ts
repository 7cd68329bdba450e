import { commandProblems } from "./command-rules.ts";
import { cycleProblems, floorProblems } from "./floor-rules.ts";
import { hintProblems } from "./hint-rules.ts";
import { pageProblems } from "./page-rules.ts";
import { PROSE_ADAPTERS } from "./prose-adapters.ts";
import { proseProblems } from "./prose-rules.ts";
import { folderProblems, portProblems } from "./size-rules.ts";
import { readPages, readSources } from "./source-files.ts";
import { WORD_EXEMPT } from "./word-list.ts";
import { wordProblems } from "./word-rules.ts";

const files = readSources("src");
const pages = readSources("web/src");
const all = new Map([...files, ...pages]);
const problems = [
  ...floorProblems(files),
  ...commandProblems(files),
  ...pageProblems(pages, files),
  ...cycleProblems(all),
  ...folderProblems(all),
  ...portProblems(all),
  ...proseProblems(all, PROSE_ADAPTERS),
  ...hintProblems(all),
  ...wordProblems(new Map([...all, ...readPages()]), WORD_EXEMPT),
];
for (const problem of problems) console.error(problem);
console.log(`${files.size + pages.size} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
