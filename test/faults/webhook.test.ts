import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { furnish, spawnRun } from "../harness/spawned-runs.ts";
import { startReceiver } from "../harness/webhook-receiver.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall, EVENTS } from "./crashing-hall.ts";

const POSITION = "/state/subscribers/webhook\\.json$";
const victim = "daemon";
const points: (CrashPoint & { sends: number })[] = [
  { victim, file: EVENTS, text: '"type":"run.ended"', when: "after", sends: 1 },
  // The receiver has it, and that is not known or not saved: it is sent again rather than lost.
  { victim, file: EVENTS, text: '"type":"notification.delivered"', when: "before", sends: 2 },
  { victim, file: EVENTS, text: '"type":"notification.delivered"', when: "after", sends: 2 },
  { victim, file: POSITION, when: "before", sends: 2 },
  { victim, file: POSITION, when: "after", sends: 1 },
];

it("sends every notification at least once, with one key, wherever the daemon is killed", {
  timeout: 180_000,
}, async () => {
  const receiver = await startReceiver();
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  mkdirSync(crashing.workspace, { recursive: true });
  writeFileSync(join(crashing.workspace, "config.yml"), JSON.stringify({ notify: { url: receiver.url } }));
  await furnish(await crashing.start(), { quick: "turns:\n  - text: All is well.\n" });
  const keysOf = (run: string) =>
    receiver.received.filter(({ body }) => body.run === run).map(({ headers }) => headers["idempotency-key"]);
  for (const [at, { sends, ...point }] of points.entries()) {
    crashing.arm(point);
    // It may die before it has answered.
    await spawnRun(crashing.hall, "quick", `told ${at}`).catch(() => undefined);
    await crashing.struck(point);
    const { runs } = (await crashing.hall.call("GET", "/api/runs")).body;
    const run = runs.find(({ title }: { title: string }) => title === `told ${at}`)?.id ?? "";
    await eventually(
      () => keysOf(run).length,
      (count) => count >= sends,
    );
    const { events } = (await crashing.hall.call("GET", "/api/events/log?tail=1000&type=run.ended")).body;
    const ended = events.find(({ subject }: { subject: { id: string } }) => subject.id === run);
    await eventually(
      () => position(crashing.workspace),
      ({ through, open }) => through >= (ended?.seq ?? 0) && open.length === 0,
    );
    expect(keysOf(run), JSON.stringify(point)).toHaveLength(sends);
    expect(new Set(keysOf(run)).size).toBe(1);
  }
});

function position(workspace: string): { through: number; open: number[] } {
  return JSON.parse(readFileSync(join(workspace, "state/subscribers/webhook.json"), "utf8"));
}
