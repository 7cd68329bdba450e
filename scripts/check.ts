import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "./source-files.ts";

/** What the compiler knows of the last check, so that the next one only looks at what changed. */
const knownTypes = (name: string) => [
  "--incremental",
  "--tsBuildInfoFile",
  `node_modules/.cache/types/${name}.tsbuildinfo`,
];

const CHECKS = [
  { name: "format and lint", command: "biome", args: ["ci", "--colors=off", "--error-on-warnings", "."] },
  { name: "types", command: "tsc", args: ["--project", ".", "--pretty", "false", ...knownTypes("program")] },
  { name: "types of pages", command: "tsc", args: ["--project", "web", "--pretty", "false", ...knownTypes("pages")] },
  { name: "floors", command: "node", args: ["scripts/floors.ts"] },
  { name: "unused code", command: "knip", args: ["--no-progress"] },
  { name: "conformance", command: "node", args: ["scripts/conformance.ts"] },
];

type Check = (typeof CHECKS)[number];

interface Verdict {
  name: string;
  passed: boolean;
  seconds: number;
  output: string;
}

const verdicts = await Promise.all(CHECKS.map(run));
for (const { name, output } of verdicts.filter(({ passed }) => !passed)) {
  console.log(`── ${name} ──\n${output.trim()}\n`);
}
for (const { name, passed, seconds } of verdicts) {
  console.log(`${passed ? "ok    " : "FAILED"}  ${name.padEnd(16)} ${seconds.toFixed(1).padStart(5)} s`);
}
process.exitCode = verdicts.every(({ passed }) => passed) ? 0 : 1;

/** Never rejects: a command that cannot be started is a check that failed. */
function run({ name, command, args }: Check): Promise<Verdict> {
  const started = performance.now();
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const child = spawn(command, args, { cwd: root, env: { ...process.env, PATH: path } });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => chunks.push(chunk));
  }
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ name, passed, seconds, output: chunks.join("") });
    };
    child.on("error", (error) => {
      chunks.push(error.message);
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}
