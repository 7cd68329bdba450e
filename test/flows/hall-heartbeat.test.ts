import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { eventsOf } from "../harness/board.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import { untilOver } from "../harness/spawned-runs.ts";
import { wanted } from "../harness/workspace.ts";

const MINUTE_MS = 60_000;

it("looks over the workspace, calls a model only where something changed, and takes notes [S4-TRIG-03] [S4-TRIG-04] [S4-TRIG-05] [S4-FS-04] [S4-SCOPE-13]", async () => {
  let ahead = Date.parse("2031-03-10T09:00:00Z") - Date.now();
  const clock = () => new Date(Date.now() + ahead);
  const before = await scriptedHall(() => ({ text: "Noted." }), {
    clock,
    config: { heartbeat: { minutes: 30 }, briefing: { timezone: "UTC" } },
  });
  let { hall } = before;
  const checks = () => before.provider.requests.filter(({ text }) => text.includes("Regular check")).length;
  const state = () => JSON.parse(readFileSync(join(hall.workspace, "state/heartbeat.json"), "utf8"));
  const beats = (): { outcome: string }[] => state().beats;
  let roles = 0;
  /** Half an hour later something happens that the main agent need not know of. */
  const later = async () => {
    const count = beats().length;
    ahead += 31 * MINUTE_MS;
    const role = { id: `role-${++roles}`, name: "Another", skills: ["read"] };
    await wanted(201, hall.call("POST", "/api/roles", role));
    await eventually(
      async () => beats().length,
      (now) => now > count,
    );
    return beats().at(-1)?.outcome;
  };
  await eventually(
    async () => checks(),
    (count) => count === 1,
  );
  /** That many messages of the heartbeat are answered. */
  const heard = (count: number) =>
    eventually(
      async () => (await wanted(200, hall.call("GET", "/api/chat?channel=heartbeat"))).messages,
      (messages) => messages.filter(({ from }) => from === "main").length === count,
    );
  await heard(1);
  // What was created while the hall was furnished may be news to the first beat or to this one.
  if ((await later()) === "sent") await heard(2);
  const told = checks();
  expect([await later(), checks()]).toEqual(["unchanged", told]);
  const { sessionId } = await wanted(200, before.spawn({ task: { title: "Paint the 🚪 door" } }));
  await untilOver(hall, sessionId);
  await wanted(201, hall.call("POST", "/api/projects/shop/tasks", { title: "Sand the <b>floor</b>" }));
  expect(await later()).toBe("sent");
  await eventually(
    async () => checks(),
    (count) => count > told,
  );
  const [last] = before.provider.requests.filter(({ text }) => text.includes("Sand the <b>floor</b>")).slice(-1);
  expect(last?.text).toMatch(/READY \(1\)\n- shop TASK-002: Sand the/);
  const file = readFileSync(join(hall.workspace, "daily/2031-03-10.md"), "utf8");
  expect(file).toMatch(/^- ~\d\d:[0-5][05] A run of .* on TASK-001 “Paint the 🚪 door” completed.* \(shop\)$/m);
  expect(file).toMatch(/<!-- guildhall:briefing [0-9a-f]{8} -->/);
  await hall.stop();
  hall = await startHall(hall.workspace, { clock, env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
  await later();
  const made = (await eventsOf(hall)).filter(({ type }) => type === "briefing.created");
  expect(made).toMatchObject([{ subject: { id: "2031-03-10" } }]);
  expect(
    readFileSync(join(hall.workspace, "daily/2031-03-10.md"), "utf8").match(/Paint the 🚪 door” completed/g),
  ).toHaveLength(1);
});
