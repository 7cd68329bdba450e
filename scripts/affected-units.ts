import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { unitsFor } from "./unit-files.ts";

/**
 * Runs changed tests and the unit tests beside changed files, with a JUnit report, as the quality gates of this repository do
 * (.guildhall.yml). The other flows and faults start daemons and browsers, and run with `npm test`.
 */
const root = join(import.meta.dirname, "..");
const units = globSync(["src/**/*.test.ts", "web/src/**/*.test.ts", "scripts/**/*.test.ts"], { cwd: root });
const changed = process.argv.slice(2).filter((path) => existsSync(join(root, path)));
const flows = changed.filter((path) => /^test\/.*\.test\.ts$/.test(path));
const chosen = [...unitsFor(changed, units), ...flows];
const report = ["--reporter=default", "--reporter=junit", "--outputFile.junit=.gate-report.xml"];
const words = [
  "node_modules/vitest/vitest.mjs",
  "run",
  // Without a file to choose, all units.
  ...(chosen.length > 0 ? [] : ["--project", "units"]),
  "--passWithNoTests",
  "--configLoader=runner",
  ...report,
  ...chosen,
];
const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" });
process.exitCode = status ?? 1;
