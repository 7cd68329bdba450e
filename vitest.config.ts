import { join } from "node:path";
import { defineConfig } from "vitest/config";

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`The tests need Node.js 24 or newer, and this is ${process.version}. Run them with npm test.`);
}

// Where the launcher keeps what it compiled: daemons and project processes that start without it find it there too.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/guildhall");

const report = process.env.GUILDHALL_TEST_REPORT;

const common = { pool: "forks", testTimeout: 20_000, hookTimeout: 20_000 } as const;

export default defineConfig({
  test: {
    // Tests wait for processes and disks more than they compute.
    maxWorkers: 3,
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
      // They start daemons, send signals and set up folders: each file gets a process of its own.
      { test: { ...common, name: "flows", include: ["test/**/*.test.ts"], exclude: ["test/web/**"] } },
      // They look at the pages in a real browser.
      {
        test: {
          ...common,
          name: "pages",
          include: ["test/web/**/*.test.ts"],
          globalSetup: "test/harness/pages-setup.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
