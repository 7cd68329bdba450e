import { defineConfig } from "vitest/config";

if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(`The tests need Node.js 24 or newer, and this is ${process.version}. Run them with npm test.`);
}

const report = process.env.GUILDHALL_TEST_REPORT;

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "test/**/*.test.ts"],
    // Tests start daemons, send signals and set up folders: each file gets a process of its own.
    pool: "forks",
    // Tests wait for processes and disks more than they compute.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
