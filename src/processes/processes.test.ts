import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../test/harness/daemon.ts";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { Order } from "../contract/runs/protocol.ts";
import type { Party } from "./party.ts";
import { Place } from "./place.ts";
import { Processes } from "./processes.ts";

/** Dies of its first order. */
const DIES = `
process.on("message", ({ type }) => {
  if (type === "init") process.send({ type: "ready", pid: process.pid });
  if (type === "order") process.exit(7);
  if (type === "shutdown") process.disconnect();
});`;

/** Asks a model as soon as it is ordered to do anything. */
const ASKS = `
process.on("message", ({ type, order }) => {
  if (type === "init") process.send({ type: "ready", pid: process.pid });
  if (type === "order") {
    const opening = { system: "", tools: [] };
    process.send({ type: "llm_request", requestId: "q", orderId: order.id, settings: { model: "offline/x", thinking: "off" }, opening, known: 0, messages: [] });
  }
  if (type === "shutdown") process.disconnect();
});`;

type Gate = ConstructorParameters<typeof Processes>[0]["gate"];

function processesOf(program: string, ask: Gate["ask"] = () => Promise.reject(new Error("nobody asks"))) {
  const folder = temporaryFolder();
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, program);
  const told: string[] = [];
  const processes = new Processes({
    entry,
    gate: { ask },
    toolSlots: 1,
    parkAfterMs: 60_000,
    notes: { add: () => undefined, remove: () => undefined },
    placeOf: () => ({ projectPath: folder, workdir: folder, web: { userAgent: "Test/1", ports: [80], allow: [] } }),
    questions: {},
    reports: { crashed: async ({ runs, crashes }) => void told.push(`report of ${runs}, crash ${crashes}`) },
    onTrouble: (_, error) => told.push(String(error)),
  });
  onTestFinished(() => processes.close());
  const party = (kind: Order["kind"]): Party => ({
    kind,
    questions: {},
    isPatient: () => true,
    settings: (_, asked) => asked,
    onDelta: () => undefined,
    onWait: ({ id }, wait) => told.push(`${id} ${wait === undefined ? "goes on" : "waits"}`),
    hear: () => undefined,
    lost: (works, { expected }) => [
      (async () => {
        await new Promise(setImmediate);
        told.push(`${kind} lost ${works.map(({ id }) => id)}${expected ? " as expected" : ""}`);
      })(),
    ],
    crashed: async ({ runs }) => void told.push(`${kind} hears of the crash of ${runs}`),
    gone: (projectId) => told.push(`${kind} has ${projectId} gone`),
  });
  return { processes, party, told };
}

async function awake(processes: Processes): Promise<Place> {
  const place = processes.wake("shop");
  if (!(place instanceof Place)) throw new Error("There is no process.");
  await place.process.ready();
  return place;
}

it("tells each party what it lost with a process that died, then of the crash, then that it is gone", async () => {
  const { processes, party, told } = processesOf(DIES);
  processes.attach(party("run"));
  processes.attach(party("session"));
  const place = await awake(processes);
  place.take({ id: "run-1.1", kind: "run", place, runId: "run-1", isBusy: true });
  place.take({ id: "session", kind: "session", place, isBusy: true });
  place.send({ type: "order", order: { kind: "session", id: "session" } });
  await eventually(
    () => told.length,
    (count) => count === 7,
  );
  expect(told).toEqual([
    "run lost run-1.1",
    "session lost session",
    "report of run-1, crash 1",
    "run hears of the crash of run-1",
    "session hears of the crash of run-1",
    "run has shop gone",
    "session has shop gone",
  ]);
  expect(processes.find("shop", "session")).toBeUndefined();
  expect(await processes.calm("shop")).toBe(true);
});

it("tells of no crash when the project is stopped, and waits for what its parties do about it", async () => {
  const { processes, party, told } = processesOf(DIES);
  processes.attach(party("run"));
  const place = await awake(processes);
  place.take({ id: "run-1.1", kind: "run", place, runId: "run-1", isBusy: true });
  await processes.stop("shop");
  expect(told.sort()).toEqual(["run has shop gone", "run lost run-1.1 as expected"]);
});

it("has one party for each kind of order", () => {
  const { processes, party } = processesOf(DIES);
  processes.attach(party("run"));
  expect(() => processes.attach(party("run"))).toThrow("'run'");
});

it("tells nobody that a call goes on whose work was dropped meanwhile", async () => {
  const asked = Promise.withResolvers<Parameters<Gate["ask"]>[1]>();
  const { processes, party, told } = processesOf(ASKS, (_, caller) => {
    asked.resolve(caller);
    return new Promise((_resolve, reject) =>
      caller.signal?.addEventListener("abort", () => reject(caller.signal?.reason)),
    );
  });
  processes.attach(party("session"));
  const place = await awake(processes);
  const work = { id: "session", kind: "session" as const, place, isBusy: true };
  place.take(work);
  place.send({ type: "order", order: { kind: "session", id: "session" } });
  const { onWait } = await asked.promise;
  onWait?.({ reason: "budget", text: "" });
  processes.drop(work);
  onWait?.(undefined);
  expect(told).toEqual(["session waits"]);
});
