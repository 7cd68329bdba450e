import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BUILT_PROJECT } from "../../test/harness/built-program.ts";
import { eventually, temporaryFolder } from "../../test/harness/daemon.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import { makeSnapshot, snapshotFlags } from "../store/host/start-snapshot.ts";
import type { ProcessExit } from "./process-exit.ts";
import { ProjectProcess } from "./project-process.ts";

const READY = `process.send({ type: "ready", pid: process.pid });`;

interface Watched {
  process: ProjectProcess;
  heard: FromProcess[];
  exits: ProcessExit[];
  exited: Promise<ProcessExit>;
}

/** A process that runs this program in the place of the real one. */
function start(
  program: string,
  more: { entry?: string; readyMs?: number; projectPath?: string; onMessage?: (message: FromProcess) => void } = {},
): Watched {
  const folder = temporaryFolder();
  const entry = join(folder, "entry.mjs");
  writeFileSync(entry, program);
  const heard: FromProcess[] = [];
  const exits: ProcessExit[] = [];
  const { promise: exited, resolve } = Promise.withResolvers<ProcessExit>();
  const process = new ProjectProcess({
    entry,
    projectPath: folder,
    workdir: folder,
    toolSlots: 1,
    web: { userAgent: "Test/1", ports: [80, 443], allow: [] },
    onMessage: (message) => heard.push(message),
    ...more,
    onExit: (exit) => {
      exits.push(exit);
      resolve(exit);
    },
  });
  onTestFinished(() => {
    process.kill("the test is over");
    return exited.then(() => undefined);
  });
  return { process, heard, exits, exited };
}

it("is told where to work, says when it is ready, finishes when it is asked to, and says so", async () => {
  const { process, heard, exited } = start(`
    process.on("message", (message) => {
      if (message.type === "init") process.send({ type: "ready", pid: process.pid });
      if (message.type === "shutdown") process.send({ type: "shutdown-complete" }, () => process.disconnect());
    });`);
  await process.ready();
  await process.stop();
  expect(await exited).toEqual({ kind: "crashed", cause: "exit code 0", expected: true });
  expect(heard.map((message) => message.type)).toEqual(["ready", "shutdown-complete"]);
});

it("is ended by force when it does not finish in time", async () => {
  const { process, exited } = start(`process.on("message", () => {}); ${READY} setInterval(() => {}, 1000);`);
  await process.ready();
  const stops = [process.stop(100), process.stop(60_000)];
  await Promise.all(stops);
  expect(await exited).toEqual({ kind: "crashed", cause: "signal SIGKILL", expected: true });
  await process.stop();
});

it.each([
  ["throws", `throw new TypeError("the cause of it");`, /exit code 1 \(TypeError: the cause of it\)/],
  ["rejects", `Promise.reject(new RangeError("nobody caught it"));`, /exit code 1 \(RangeError: nobody caught it\)/],
  ["leaves", "process.exit(7);", /^exit code 7$/],
  ["aborts", "process.abort();", /^signal SIGABRT/],
  ["is killed", `process.kill(process.pid, "SIGSEGV");`, /^signal SIGSEGV$/],
])("tells what ended a process that %s [S3-WT-01]", async (_how, program, cause) => {
  const { process, exited, exits } = start(
    `process.on("message", () => {}); ${READY} setTimeout(() => { ${program} }, 20);`,
  );
  await process.ready();
  const exit = await exited;
  expect(exit.cause).toMatch(cause);
  expect(exit.expected).toBe(false);
  expect(exits).toHaveLength(1);
});

it("has a heap of 512 MB, and says when that was reached [S3-WT-07]", {
  timeout: 60_000,
}, async () => {
  const { heard, exited } = start(`
    import { getHeapStatistics } from "node:v8";
    ${READY}
    process.send({ type: "activity", orderId: "r", activity: { kind: "thinking" }, turn: getHeapStatistics().heap_size_limit });
    const fill = () => {
      const kept = [];
      for (;;) kept.push(new Array(2_000_000).fill(0.5));
    };
    setTimeout(fill, 20);`);
  expect((await exited).cause).toBe("it used more than 512 MB of memory");
  const [measured] = heard.flatMap((message) => (message.type === "activity" ? [message.turn / 2 ** 20] : []));
  // The space for new objects comes on top.
  expect(measured).toBeGreaterThanOrEqual(512);
  expect(measured).toBeLessThan(560);
});

it("is not waited for longer than allowed when it does not become ready", async () => {
  const { process, exited } = start("setInterval(() => {}, 1000);", { readyMs: 100 });
  await expect(process.ready()).rejects.toThrow("was not ready within 0.1 seconds");
  expect((await exited).expected).toBe(false);
});

it("that cannot even be started is told like one that ended", async () => {
  const { process, exited } = start(READY, { projectPath: join(temporaryFolder(), "gone") });
  await expect(process.ready()).rejects.toThrow("could not be started");
  expect((await exited).expected).toBe(false);
  process.send({ type: "ping" });
  await process.stop();
});

it("may say what nobody understands, and is heard all the same", async () => {
  const { process, heard } = start(`
    process.on("message", () => {});
    for (const odd of [null, 7, "text", [], {}, { type: 7 }, { type: "constructor" }, { type: "unheard-of" }]) process.send(odd);
    ${READY}`);
  await process.ready();
  expect(heard.map((message) => message.type)).toEqual(["ready"]);
});

it("gets no key and nothing else of the daemon's environment but what a process needs [S3-LLM-02]", async () => {
  process.env.ANTHROPIC_API_KEY = "CANARY-key";
  process.env.GUILDHALL_SECRET_THING = "CANARY-thing";
  onTestFinished(() => {
    delete process.env.ANTHROPIC_API_KEY;
    delete process.env.GUILDHALL_SECRET_THING;
  });
  const folder = temporaryFolder();
  const { process: child, exited } = start(`
    import { writeFileSync } from "node:fs";
    writeFileSync(${JSON.stringify(join(folder, "env.json"))}, JSON.stringify(process.env));`);
  await exited;
  expect(child.pid).toBeGreaterThan(0);
  const env = readFileSync(join(folder, "env.json"), "utf8");
  expect(env).toContain("PATH");
  expect(env).not.toContain("CANARY");
});

it("takes in more than its channel holds at once, in order, from both sides", async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const text = "x".repeat(100_000);
  const { process, heard } = start(`
    let count = 0;
    process.on("message", (message) => {
      if (message.type !== "message") return;
      if (message.id !== String(count++)) process.exit(9);
      if (count === 100) for (let turn = 0; turn < 100; turn++) process.send({ type: "activity", orderId: "r", activity: { kind: "tool", name: "read", subject: message.text }, turn });
    });
    ${READY}`);
  await process.ready();
  for (let id = 0; id < 100; id++) process.send({ type: "message", orderId: "r", id: String(id), text });
  await eventually(
    () => heard.length,
    (count) => count === 101,
    15_000,
  );
  const turns = heard.flatMap((message) => (message.type === "activity" ? [message.turn] : []));
  expect(turns).toEqual(Array.from({ length: 100 }, (_, turn) => turn));
  rmSync(folder, { recursive: true });
});

it("is ended when it says what nobody can make sense of, and nobody else is harmed", async () => {
  const heard: FromProcess[] = [];
  const said = `process.send([{ type: "answering" }, { type: "pong" }]);`;
  const onMessage = (message: FromProcess) => heard.push(message);
  const { exited } = start(`process.on("message", () => {}); ${READY} ${said}`, { onMessage });
  expect(await exited).toEqual({
    kind: "crashed",
    cause: "it sent an invalid message (answering)",
    expected: false,
  });
  expect(heard.map(({ type }) => type)).not.toContain("answering");
});

it.runIf(process.platform === "linux")("starts the built program from its start-up snapshot", async () => {
  const { process: built } = start("", { entry: BUILT_PROJECT });
  await built.ready();
  expect(readFileSync(`/proc/${built.pid}/cmdline`, "utf8").split("\0")).toContain("--snapshot-blob");
  await built.stop();
});

it("starts without a snapshot that Node refuses when it is started again", async () => {
  const entry = join(temporaryFolder(), "entry.cjs");
  const main = `process.on("message", () => {}); ${READY}`;
  writeFileSync(
    entry,
    `const v8 = require("node:v8").startupSnapshot;
    const main = () => { ${main} };
    v8.isBuildingSnapshot() ? v8.setDeserializeMainFunction(main) : main();`,
  );
  await makeSnapshot(entry);
  const first = start("", { entry });
  await first.process.ready();
  writeFileSync(snapshotFlags(entry)[1] ?? "", "no snapshot");
  const second = start("", { entry });
  expect(await second.exited).toMatchObject({ kind: "crashed", expected: false });
  await start("", { entry }).process.ready();
});

it("tells a process what others searched for secrets shortly before", async () => {
  const folder = temporaryFolder();
  const search = { folder, at: Date.now(), masked: [{ path: join(folder, "ca.key"), kind: "file" }] };
  const teller = start(`process.on("message", () => {}); ${READY}
    process.send({ type: "searched", searches: [${JSON.stringify(search)}] });`);
  await eventually(
    () => teller.heard.some(({ type }) => type === "searched"),
    (isHeard) => isHeard,
  );
  const said = join(folder, "init.json");
  const { process } = start(`process.on("message", (message) => {
    process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(said)}, JSON.stringify(message));
    ${READY}
  });`);
  await process.ready();
  expect(JSON.parse(readFileSync(said, "utf8")).searches).toContainEqual(search);
});
