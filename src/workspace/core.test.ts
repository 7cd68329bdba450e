import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { commit } from "./core.ts";
import { openHall } from "./hall/open-hall.ts";

const draft = {
  type: "task.updated" as const,
  actor: { kind: "person" as const, via: "http" as const },
  subject: { kind: "task" as const, id: "TASK-001" },
};

it("has whoever heard of a change wait until the index shows it, and nobody for one that failed", async () => {
  const clock = () => new Date("2026-11-15T12:00:00Z");
  const { core, close } = await openHall({ workspace: temporaryFolder(), clock, version: "0" });
  onTestFinished(close);
  const steps: string[] = [];
  const asked = Promise.withResolvers<unknown>();
  onTestFinished(core.events.subscribe(() => asked.resolve(core.shown.caughtUp().then(() => steps.push("answered")))));
  await Promise.all([commit(core, draft, () => steps.push("shown")), asked.promise]);
  expect(steps).toEqual(["shown", "answered"]);
  const failing = commit(core, draft, () => undefined, [{ kind: "move", path: "nothing", to: "trash/nothing" }]);
  await expect(failing).rejects.toThrow("changed in the meantime");
  await core.shown.caughtUp();
});
