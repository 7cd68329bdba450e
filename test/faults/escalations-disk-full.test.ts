import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall, spawnHall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { entriesOf, furnish, journalOf, listRuns, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { ASKING } from "./asking-playbooks.ts";
import { sampled } from "./sampled.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;
const PAGE = 4_096;
/** How much room is left when the answer comes: for none, some or all of the steps of its delivery. */
const SPARE_PAGES = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24];

/** Where the answer reached a model: as a result of the call, as a message, or in a prompt. */
async function toldOf(hall: Hall, task: string): Promise<string[]> {
  const runs = await eventually(
    () => listRuns(hall, `&task=${task}`),
    (all) => all.every(isOver),
    60_000,
  );
  const words = runs.flatMap(({ id }) => {
    const journal = journalOf(hall.workspace, id);
    return [
      ...entriesOf(journal, "result").map(({ output }) => output),
      ...entriesOf(journal, "message").map(({ text }) => text),
      ...entriesOf(journal, "plan").map(({ plan }) => plan.prompt),
    ];
  });
  return words.filter((text) => text.includes(`Answer (person): Blue for ${task}`));
}

describe.skipIf(reason !== undefined)(`answers on a disk that is full for a while${about}`, () => {
  it("reach every asker once when there is room again", { timeout: 300_000 }, async () => {
    const disk = smallDisk("16m");
    const workspace = join(disk.path, "workspace");
    mkdirSync(workspace);
    const hall = await spawnHall(workspace);
    await furnish(hall, ASKING);
    await hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read"] });
    let tasks = 0;
    const refused: number[] = [];
    for (const pages of sampled(SPARE_PAGES, { every: 4 })) {
      const asked: { task: string; id: string }[] = [];
      for (const way of ["waits", "goes"] as const) {
        tasks += 1;
        const task = `TASK-${String(tasks).padStart(3, "0")}`;
        const runId = await spawnRun(hall, way, task, { roleId: "asker" });
        asked.push({ task, id: (await pendingOf(hall, runId)).id });
        if (way === "goes") await untilOver(hall, runId);
      }
      disk.fill(pages * PAGE);
      const answer = ({ task, id }: (typeof asked)[number]) =>
        hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: `Blue for ${task}` });
      const first = await Promise.all(asked.map(answer));
      refused.push(...first.map(({ status }) => status).filter((status) => status !== 200));
      disk.free();
      for (const [at, one] of asked.entries()) {
        const { status, body } = first[at] ?? { status: 0 };
        const again = (await answer(one)).status;
        // A refusal that says that nothing was changed is true.
        const expected = status === 200 ? [409] : body?.error?.changed === "unknown" ? [200, 409] : [200];
        expect(expected, `${pages} pages: ${status}, then ${again}`).toContain(again);
        const { escalation } = await eventually(
          async () => (await hall.call("GET", `/api/escalations/${one.id}`)).body,
          (body) => body.escalation.askers.every(({ deliveredAt }) => deliveredAt !== undefined),
          60_000,
        );
        expect([pages, escalation.resolution, await toldOf(hall, one.task)]).toEqual([
          ...[pages, `Blue for ${one.task}`, [expect.stringContaining(one.id)]],
        ]);
        await eventually(
          async () => (await hall.call("GET", `/api/projects/shop/tasks/${one.task}`)).body.task,
          (task) => task.status === "done" && task.escalations === undefined,
        );
      }
    }
    expect(refused.every((status) => status === 503)).toBe(true);
    expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
  });
});
