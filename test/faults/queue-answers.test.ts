import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { BodyOf } from "../harness/answer.ts";
import { type Answer, eventually, temporaryFolder } from "../harness/daemon.ts";
import { furnish, listRuns, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, EVENTS } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const FAILS = "turns: [{fail: {kind: refused}, text: Never.}]\n";
const QUEUE = "/state/queue\\.json$";

const points: [what: "retry" | "dismiss", point: CrashPoint][] = [
  ["retry", { victim: "daemon", file: QUEUE, when: "before" }],
  ["retry", { victim: "daemon", file: QUEUE, when: "after" }],
  ["retry", { victim: "daemon", file: BOOK, when: "before" }],
  ["retry", { victim: "daemon", file: BOOK, when: "after" }],
  ["dismiss", { victim: "daemon", file: QUEUE, when: "before" }],
  ["dismiss", { victim: "daemon", file: QUEUE, when: "after" }],
  ["dismiss", { victim: "daemon", file: EVENTS, text: '"escalation.updated"', when: "before" }],
];

it("an answer that a kill -9 interrupts is carried out once when it is sent again", { timeout: 120_000 }, async () => {
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  await furnish(await crashing.start(), { fails: FAILS });
  const broken = (n: number) => join(crashing.workspace, `projects/${PROJECT}/TASKS/todo/TASK-${900 + n}.md`);
  const pending = async () => (await crashing.hall.call("GET", "/api/escalations?status=pending")).body.escalations;
  for (const [at, [what, point]] of sampled([...points.entries()], { every: 6 })) {
    const name = `${what} ${point.when} ${point.file}`;
    const runId = what === "retry" ? await spawnRun(crashing.hall, "fails", `Task ${at}`) : undefined;
    if (runId === undefined) writeFileSync(broken(at), "---\nid: [\n---\n");
    else await untilOver(crashing.hall, runId);
    const isThis = (id: string) => (runId === undefined ? id.includes(`TASK-${900 + at}`) : id === `failed-${runId}`);
    const found = await eventually(pending, (entries) => entries.some(({ id }) => isThis(id)));
    const id = found.find((entry) => isThis(entry.id))?.id ?? "";
    const before = (await listRuns(crashing.hall)).length;
    const [path, body] =
      runId === undefined ? ["dismiss", { reason: "Known" }] : (["resolve", { answer: "Retry" }] as const);
    const headers = { "idempotency-key": `key-${at}` };
    const ask = async () =>
      (await crashing.hall.call("POST", `/api/escalations/${id}/${path}`, body, headers)) as Answer<
        BodyOf<"resolveEscalation">
      >;
    crashing.arm(point);
    await expect(ask(), name).rejects.toThrow();
    await crashing.struck(point);
    const again = await ask();
    expect([again.status, again.body.escalation?.status], `${name}: ${JSON.stringify(again.body)}`).toEqual([
      ...[200, "resolved"],
    ]);
    expect((await ask()).body.escalation, name).toMatchObject({ status: "resolved" });
    const runs = await eventually(
      () => listRuns(crashing.hall),
      (all) => all.every(({ endedAt }) => endedAt !== undefined),
    );
    expect(runs.length - before, name).toBe(runId === undefined ? 0 : 1);
    expect(
      (await pending()).map((entry) => entry.id),
      name,
    ).not.toContain(id);
  }
  expect((await crashing.hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
});
