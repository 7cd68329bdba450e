import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeBusyHall } from "./busy/busy-hall.ts";

/** A busy hall to look at: `npm run busy -- [--tasks 10000] [--days 13] [--questions 500]`, until Ctrl-C. Its folder is removed at the end. */
const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "0" },
    days: { type: "string", default: "13" },
    questions: { type: "string", default: "0" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "guildhall-busy-"));
const clear = () => rmSync(folder, { recursive: true, force: true });
try {
  const began = performance.now();
  const hall = await makeBusyHall({
    folder,
    tasks: Number(values.tasks),
    days: Number(values.days),
    questions: Number(values.questions),
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `A busy hall after ${seconds} s: ${hall.dashboardLink()}\nIts workspace is ${hall.workspace}. Ctrl-C ends and removes it.`,
  );
  await new Promise<void>((resolve) => process.on("SIGINT", resolve).on("SIGTERM", resolve));
  await hall.stop();
} finally {
  clear();
}
process.exit();
