import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { median, percent, perSecond, rateOf } from "./kit/figures.ts";
import type { Table } from "./kit/report.ts";
import { MAIN_PROJECT } from "./kit/workspaces.ts";

const PARALLEL = 16;
const WANTED = 0.6;
const BODY = {
  title: "Keep the index in step with the files",
  description: "When a file changes on disk, the board must show it.\n\nCheck it by hand as well.",
  acceptanceCriteria: ["It works as described", "There is a test"],
  labels: ["api"],
};
/** The text of the file that the body becomes has about this size. */
const CONTENT = "x".repeat(560);

/** Tasks created over HTTP against the same number of bytes replaced durably, in rounds that take turns. */
export async function creation({ workspaces, quick }: Bench): Promise<Table> {
  const workspace = await workspaces.empty();
  const folder = workspaces.folder("floor");
  mkdirSync(folder);
  const daemon = await startDaemon(workspace);
  const [one, many] = [daemon.connect(1), daemon.connect(PARALLEL)];
  const path = `/api/projects/${MAIN_PROJECT}/tasks`;
  const replaces = bareReplaces(folder);
  const works = {
    sync: () => rateOf(replaces.sync, { writers: 1, ms }),
    promises: () => rateOf(replaces.promises, { writers: 1, ms }),
    parallel: () => rateOf(replaces.promises, { writers: PARALLEL, ms }),
    created: () => rateOf(() => one.call("POST", path, BODY), { writers: 1, ms }),
    createdParallel: () => rateOf(() => many.call("POST", path, BODY), { writers: PARALLEL, ms }),
  };
  const ms = quick ? 300 : 800;
  const rates = { sync: [], promises: [], parallel: [], created: [], createdParallel: [] } as Record<
    keyof typeof works,
    number[]
  >;
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    for (const name of Object.keys(works) as (keyof typeof works)[]) rates[name].push(await works[name]());
  }
  one.close();
  many.close();
  await daemon.end();
  return tableOf((name) => median(rates[name as keyof typeof works]));
}

function tableOf(rate: (name: string) => number): Table {
  const line = (name: string, value: number, floor: number, isGoal: boolean) => ({
    cells: [name, perSecond(value), percent(value / floor)],
    goal: isGoal ? { text: `≥ ${percent(WANTED)} of bare`, isMet: value / floor >= WANTED } : undefined,
  });
  return {
    title: `Durable creation of tasks, against bare durable replaces of ${CONTENT.length} bytes (temporary file, fsync, rename, fsync of the folder)`,
    columns: ["", "rate", "of bare"],
    lines: [
      line("bare, one after the other, blocking calls", rate("sync"), rate("sync"), false),
      line("bare, one after the other, promises", rate("promises"), rate("promises"), false),
      line(`bare, ${PARALLEL} at once, promises`, rate("parallel"), rate("parallel"), false),
      line("POST task, one after the other (of promises)", rate("created"), rate("promises"), true),
      line("POST task, one after the other (of blocking)", rate("created"), rate("sync"), true),
      line(
        `POST task, ${PARALLEL} connections (of ${PARALLEL} at once)`,
        rate("createdParallel"),
        rate("parallel"),
        true,
      ),
      line(`POST task, ${PARALLEL} connections (of blocking)`, rate("createdParallel"), rate("sync"), true),
    ],
  };
}

function bareReplaces(folder: string) {
  let made = 0;
  return {
    sync: () => {
      const path = `${folder}/${++made}`;
      const fd = openSync(`${path}.tmp`, "wx");
      writeSync(fd, CONTENT);
      fsyncSync(fd);
      closeSync(fd);
      renameSync(`${path}.tmp`, path);
      const parent = openSync(folder, "r");
      fsyncSync(parent);
      closeSync(parent);
    },
    promises: async () => {
      const path = `${folder}/${++made}`;
      const file = await open(`${path}.tmp`, "wx");
      await file.writeFile(CONTENT);
      await file.sync();
      await file.close();
      await rename(`${path}.tmp`, path);
      const parent = await open(folder, "r");
      await parent.sync();
      await parent.close();
    },
  };
}
