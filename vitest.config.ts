import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/harness/longest-first.ts";
import { memoryFolder } from "./test/harness/memory-folder.ts";

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`The tests need Node.js 24 or newer, and this is ${process.version}. Run them with npm test.`);
}

// Where the launcher keeps what it compiled: daemons and project processes that start without it find it there too.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/guildhall");

const report = process.env.GUILDHALL_TEST_REPORT;

/** They end their process' peace: they count what it holds, or take programs away from it. */
const ALONE = [
  "test/flows/exec-unsandboxed.test.ts",
  "test/flows/living-projects.test.ts",
  "test/flows/memory.test.ts",
  "test/faults/open-files.test.ts",
];

// Limits that only a test reaches that hangs: a machine may be slow, and busy with other things.
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
const PROGRAM = "test/harness/program-setup.ts";
// On a disk, workspaces and repositories spend more time on syncing than on anything else. TMPDIR asks for one.
const memory = memoryFolder();
const env = memory === undefined ? {} : { TMPDIR: memory };
// The built program is loaded as people load it.
const server = { deps: { external: [/\/dist\/[0-9a-f]{16}\//] } };
const common = { pool: "forks", globalSetup: PROGRAM, env, server, ...patient };

export default defineConfig({
  test: {
    // Tests wait for processes and disks more than they compute.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    projects: [
      // They leave nothing behind in their process, so that the next file may have it.
      {
        test: {
          ...common,
          name: "units",
          include: ["src/**/*.test.ts", "web/src/**/*.test.ts", "scripts/**/*.test.ts"],
          isolate: false,
        },
      },
      // So do these, which start daemons, send signals and set up folders.
      {
        test: {
          ...common,
          name: "flows",
          include: ["test/**/*.test.ts"],
          exclude: ["test/web/**", ...ALONE],
          setupFiles: "test/harness/leave-as-found.ts",
          isolate: false,
        },
      },
      // These get a process of their own each.
      { test: { ...common, name: "alone", include: ALONE } },
      // They look at the pages in a real browser.
      {
        test: {
          ...common,
          name: "pages",
          include: ["test/web/**/*.test.ts"],
          globalSetup: [PROGRAM, "test/harness/pages-setup.ts"],
          testTimeout: 120_000,
          isolate: false,
        },
      },
    ],
  },
});
