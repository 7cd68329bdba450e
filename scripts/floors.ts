import { floorProblems } from "./floor-rules.ts";
import { readSources } from "./source-files.ts";

const files = readSources("src");
const problems = floorProblems(files);
for (const problem of problems) console.error(problem);
console.log(`${files.size} files, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
