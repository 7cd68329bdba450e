import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../test/harness/daemon.ts";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import type { Place } from "./place.ts";
import { Places } from "./places.ts";
import type { ProcessExit } from "./process-exit.ts";

/** Ends in order once all of its neighbours were asked to end as well, and never else. */
const ENDS_WITH_THE_OTHERS = `
import { readdirSync, writeFileSync } from "node:fs";
process.on("message", ({ type }) => {
  if (type === "init") process.send({ type: "ready", pid: process.pid });
  if (type !== "shutdown") return;
  writeFileSync(FOLDER + "/asked-" + process.pid, "");
  const look = setInterval(() => {
    if (readdirSync(FOLDER).filter((name) => name.startsWith("asked-")).length < 3) return;
    clearInterval(look);
    process.disconnect();
  }, 10);
});`;

it("stops all processes at once, and knows none of them afterwards [S3-CA-08]", async () => {
  const { places, exits } = placesWith(ENDS_WITH_THE_OTHERS);
  for (const id of ["a", "b", "c"]) await awake(places, id);
  await places.stop(undefined, 10_000);
  expect(exits.map(({ projectId }) => projectId).sort()).toEqual(["a", "b", "c"]);
  for (const exit of exits) expect(exit).toMatchObject({ cause: "exit code 0", expected: true });
  expect(places.awake()).toEqual([]);
});

it("tells a process that has nothing to do any more to rest, and not one that was given work meanwhile", async () => {
  const { places, heard } = placesWith(`
process.on("message", ({ type }) => {
  if (type === "init") process.send({ type: "ready", pid: process.pid });
  if (type === "rest") process.send({ type: "pong" });
});`);
  const [idle, busy] = [await awake(places, "idle"), await awake(places, "busy")];
  busy.whenIdle(60_000, () => undefined);
  busy.take({ id: "run-1.1", kind: "run", place: busy, isBusy: true });
  idle.whenIdle(60_000, () => undefined);
  const rested = await eventually(
    () => heard.filter(({ type }) => type === "pong").map(({ projectId }) => projectId),
    (ids) => ids.length > 0,
  );
  expect(rested).toEqual(["idle"]);
  await places.stop(undefined, 100);
});

async function awake(places: Places, projectId: string): Promise<Place> {
  const place = places.wake(projectId);
  if ("error" in place) throw new Error(place.error);
  await place.process.ready();
  return place;
}

/** Processes that run this program in the place of the real one. */
function placesWith(program: string) {
  const folder = temporaryFolder();
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, program.replaceAll("FOLDER", JSON.stringify(folder)));
  const exits: (ProcessExit & { projectId: string })[] = [];
  const heard: (FromProcess & { projectId: string })[] = [];
  const places = new Places(
    {
      entry,
      gate: { ask: () => Promise.reject(new Error("nobody asks")) },
      toolSlots: 1,
      parkAfterMs: 60_000,
      notes: { add: () => undefined, remove: () => undefined },
      placeOf: () => ({
        projectPath: folder,
        workdir: folder,
        web: { userAgent: "Test/1", ports: [80, 443], allow: [] },
      }),
    },
    {
      onMessage: ({ projectId }, message) => heard.push({ ...message, projectId }),
      onWait: () => undefined,
      onDelta: () => undefined,
      onLost: ({ projectId }, _works, exit) => exits.push({ ...exit, projectId }),
    },
  );
  onTestFinished(() => places.stop(undefined, 100));
  return { places, exits, heard };
}
