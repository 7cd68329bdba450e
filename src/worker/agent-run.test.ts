import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runPlan } from "../../test/fakes/api-documents.ts";
import { eventually, temporaryFolder } from "../../test/harness/daemon.ts";
import { fileTools } from "../agent/tools/files/file-tools.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { ModelAnswer } from "../contract/runs/model-call.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";
import { Files } from "../store/files/files.ts";
import { Redactor } from "../store/secrets/redaction.ts";
import { Slots } from "../workspace/slots.ts";
import { AgentRun } from "./agent-run.ts";
import { gitGuards } from "./git-guards.ts";
import { HallProxy } from "./hall-proxy.ts";
import { ModelProxy } from "./model-proxy.ts";

const WRITE = { calls: [{ id: "w1", name: "write", input: JSON.stringify({ path: "a.md", content: "a" }) }] };
const RUN_ID = "run-1";
const ORDER_ID = "run-1.4";

const plan = runPlan({
  runId: RUN_ID,
  tools: { value: ["write", "spawn_subagent"], because: "" },
  limits: { turns: 10, seconds: 60, repeats: 5 },
  contextWindow: 100_000,
});

function answered(more: Partial<ModelAnswer>): ModelAnswer {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { model: "m", text: "", thinking: [], calls: [], finish: "end", usage, costUsd: 0, ...more };
}

/** A working folder in which writing never comes to its end before `finish` is called. */
function slowFiles(folder: string) {
  const files = new Files(folder, "kept");
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const replace = files.replace.bind(files);
  let begun = false;
  files.replace = async (path, content) => {
    begun = true;
    await promise;
    return replace(path, content);
  };
  return { files, finish, hasBegun: () => begun };
}

/** One run in a workshop where the model answers what the list says. */
function start(
  answers: Partial<ModelAnswer>[],
  first: JournalEntry[] = [{ type: "plan", plan }],
  { slots = new Slots(1), leaveMs = 5_000, redactor = new Redactor([]), isNew = false } = {},
) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "work"));
  const create = () =>
    writeFileSync(join(folder, "run.jsonl"), first.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  if (!isNew) create();
  const said: FromProcess[] = [];
  const asked: FromProcess[] = [];
  const work = slowFiles(join(folder, "work"));
  let number = 0;
  const nextId = () => `id-${number++}`;
  const send = (message: FromProcess) => {
    if (message.type !== "llm_request") return void said.push(message);
    const answer = answers[asked.push(message) - 1];
    if (answer !== undefined)
      models.hear({ type: "llm_response", requestId: message.requestId, answer: answered(answer) });
  };
  const models = new ModelProxy((message) => void setImmediate(() => send(message)), nextId);
  const hall = new HallProxy(send, nextId);
  const journals = new Files(folder);
  const shop = {
    journals,
    guardOf: gitGuards({ notes: journals, hall }),
    folder: { path: join(folder, "work"), tools: fileTools(work.files), hasFile: () => true },
    folderAt: () => ({ path: "", tools: [], hasFile: () => true }),
    otherTools: [],
    slots,
    models,
    hall,
    agentGuards: { now: undefined },
    nextMark: nextId,
    checkout: folder,
    redactor: () => redactor,
    send,
    time: { clock: () => new Date(), uptime: () => performance.now() },
    leaveMs,
  };
  const about = { id: ORDER_ID, runId: RUN_ID, epoch: 4, journal: "run.jsonl", messages: [] };
  const order = { kind: "run" as const, ...about, ...(isNew ? { plan } : {}) };
  const run = new AgentRun(order, shop);
  const journal = () =>
    readFileSync(join(folder, "run.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as JournalEntry);
  return {
    run,
    order,
    shop,
    said,
    asked,
    work,
    hall,
    journal,
    folder,
    create,
    types: () => journal().map((entry) => entry.type),
  };
}

it("ends a cancelled run whose tool does not notice, and nothing the tool does later reaches the journal", async () => {
  const { run, said, work, types } = start([WRITE]);
  await eventually(work.hasBegun, Boolean);
  run.cancel("Enough.");
  await run.done;
  expect(said.at(-1)).toMatchObject({
    type: "ended",
    orderId: ORDER_ID,
    end: { status: "cancelled", error: "Enough." },
  });
  expect(types()).toEqual(["plan", "started", "answer", "ended"]);
  work.finish();
  await new Promise(setImmediate);
  expect(types().at(-1)).toBe("ended");
});

it("tells no secret in how it ended, neither the daemon nor its journal", async () => {
  const redactor = new Redactor([{ name: "PASS", value: "tulips-and-roses" }]);
  const { run, said, work, journal } = start([WRITE], undefined, { redactor });
  await eventually(work.hasBegun, Boolean);
  run.cancel("Enough of tulips-and-roses.");
  await run.done;
  work.finish();
  const end = { status: "cancelled", error: "Enough of [secret: PASS]." };
  expect(said.at(-1)).toMatchObject({ type: "ended", end });
  expect(journal().at(-1)).toMatchObject({ type: "ended", end });
});

it("lets the tool at work finish when its process has to leave, and begins nothing new [S3-SHUT-01 S3-SHUT-02]", async () => {
  const { run, said, asked, work, types } = start([WRITE, { text: "never asked for" }]);
  await eventually(work.hasBegun, Boolean);
  run.letGo();
  work.finish();
  await run.done;
  expect(types()).toEqual(["plan", "started", "answer", "result"]);
  expect(asked).toHaveLength(1);
  expect(said.some((message) => message.type === "ended" || message.type === "stumbled")).toBe(false);
});

it("begins no second call of an answer when its process has to leave", async () => {
  const second = { id: "w2", name: "write", input: JSON.stringify({ path: "b.md", content: "b" }) };
  const { run, said, work, journal } = start([{ calls: [...WRITE.calls, second] }]);
  await eventually(work.hasBegun, Boolean);
  run.letGo();
  work.finish();
  await run.done;
  expect(journal().flatMap((entry) => (entry.type === "result" ? [entry.id] : []))).toEqual(["w1"]);
  expect(said.some((message) => message.type === "ended" || message.type === "stumbled")).toBe(false);
});

it("breaks off a tool that takes too long when its process has to leave, and leaves its outcome open", async () => {
  const { run, said, work, types } = start([WRITE], undefined, { leaveMs: 20 });
  await eventually(work.hasBegun, Boolean);
  run.letGo();
  await run.done;
  expect(types()).toEqual(["plan", "started", "answer"]);
  expect(said.some((message) => message.type === "ended" || message.type === "stumbled")).toBe(false);
  work.finish();
});

it("ends a run that was cancelled while its process leaves", async () => {
  const { run, said, work } = start([WRITE], undefined, { leaveMs: 20 });
  await eventually(work.hasBegun, Boolean);
  run.letGo();
  run.cancel("Enough.");
  await run.done;
  expect(said.at(-1)).toMatchObject({ type: "ended", end: { status: "cancelled", error: "Enough." } });
});

it("leaves a model call, and a child that is waited for, when its process has to leave", async () => {
  const thinking = start([]);
  await eventually(
    () => thinking.asked.length,
    (count) => count === 1,
  );
  thinking.run.letGo();
  await thinking.run.done;
  expect(thinking.types()).toEqual(["plan", "started"]);
  const call = { id: "s1", name: "spawn_subagent", input: JSON.stringify({ role: "helper", title: "x" }) };
  const waiting = start([{ calls: [call] }]);
  await eventually(
    () => waiting.said.some((message) => message.type === "ask_hall" && message.what === "spawn"),
    Boolean,
  );
  waiting.run.letGo();
  await waiting.run.done;
  expect(waiting.types()).toEqual(["plan", "started", "answer"]);
});

it("is not taken up again in the same process before an earlier order has let go of it", async () => {
  const { run, order, shop, said, work, types } = start([WRITE, {}]);
  await eventually(work.hasBegun, Boolean);
  run.letGo();
  const next = new AgentRun({ ...order, id: "run-1.5", epoch: 5 }, shop, run);
  await new Promise(setImmediate);
  expect(types()).toEqual(["plan", "started", "answer"]);
  work.finish();
  await next.done;
  expect(types()).toEqual(["plan", "started", "answer", "result", "started", "answer", "ended"]);
  expect(said.flatMap((message) => (message.type === "ended" ? [message.orderId] : []))).toEqual(["run-1.5"]);
});

it("repeats the end that stands in its journal, and asks nobody", async () => {
  const end = { status: "completed" as const, result: { output: "Done.", artifacts: [], filesChanged: [] } };
  const { run, said, asked, types } = start(
    [],
    [
      { type: "plan", plan },
      { type: "ended", epoch: 1, end, at: "" },
    ],
  );
  await run.done;
  expect(said).toEqual([{ type: "ended", orderId: ORDER_ID, end }]);
  expect(asked).toEqual([]);
  expect(types()).toEqual(["plan", "ended"]);
});

it("goes on past lines of its journal that are no entries", async () => {
  const damaged = [{ type: "answer" }, { type: "summary", text: 1 }, { type: "of a newer version" }, { type: "ended" }];
  const { run, said } = start([{ text: "Done." }], [{ type: "plan", plan }, ...(damaged as JournalEntry[])]);
  await run.done;
  expect(said.at(-1)).toMatchObject({ type: "ended", end: { status: "completed", result: { output: "Done." } } });
});

it("takes no message for a run that is over, and says so", async () => {
  const { run } = start([{ text: "Done." }]);
  expect(run.deliver({ id: "m1", text: "Wait!" })).toBe(true);
  await run.done;
  expect(run.deliver({ id: "m2", text: "Too late." })).toBe(false);
});

it("has no more tools at work in a process than there are slots, whichever run they belong to [S3-WT-10]", async () => {
  const slots = new Slots(1);
  const [first, second] = [
    start([WRITE, { text: "Done." }], undefined, { slots }),
    start([WRITE, { text: "Done." }], undefined, { slots }),
  ];
  await eventually(
    () => [first, second].filter(({ work }) => work.hasBegun()).length,
    (begun) => begun === 1,
  );
  await eventually(
    () =>
      [...first.said, ...second.said].filter(
        (message) => message.type === "activity" && message.activity.kind === "tool",
      ).length,
    (count) => count === 2,
  );
  const [working, waiting] = first.work.hasBegun() ? [first, second] : [second, first];
  expect(waiting.work.hasBegun()).toBe(false);
  working.work.finish();
  await eventually(waiting.work.hasBegun, Boolean);
  waiting.work.finish();
  await Promise.all([working.run.done, waiting.run.done]);
});

it("goes on after a summary where it was, whichever process had the run before", async () => {
  const looking = (id: string) => ({
    calls: [{ id, name: "list", input: `{"offset":${id}}` }],
    usage: { input: 90_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  });
  const listing = { ...plan, tools: { value: ["list"], because: "" } };
  const answers = [...["1", "2", "3", "4", "5"].map(looking), { text: "In short." }];
  const before = start(answers, [{ type: "plan", plan: listing }]);
  await eventually(
    () => before.asked.length,
    (count) => count === 7,
  );
  before.run.letGo();
  await before.run.done;
  const after = start([{ text: "Done." }], before.journal());
  await after.run.done;
  const messagesOf = (asked: FromProcess | undefined) => (asked?.type === "llm_request" ? asked.messages : []);
  expect(messagesOf(after.asked[0])).toEqual(messagesOf(before.asked[6]));
});

it("asks the model before its run is created, and writes nothing until it is", async () => {
  const { run, asked, said, folder, create, types } = start([{ text: "Done." }], undefined, { isNew: true });
  await eventually(
    () => said.length + asked.length,
    (count) => count > 1,
  );
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(asked).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["work"]);
  expect(said.map(({ type }) => type)).toEqual(["activity"]);
  create();
  run.begin();
  await run.done;
  expect(types()).toEqual(["plan", "started", "answer", "ended"]);
  expect(said.at(-1)).toMatchObject({ type: "ended", end: { status: "completed" } });
});

it("leaves no trace of a run that is let go before it is created", async () => {
  const { run, said, folder } = start([{ text: "Done." }], undefined, { isNew: true });
  await eventually(() => said.length, Boolean);
  run.letGo();
  await run.done;
  expect(readdirSync(folder)).toEqual(["work"]);
  expect(said.map(({ type }) => type)).toEqual(["activity"]);
});

it("does not go on with a run whose journal is not there although it was created", async () => {
  const { run, said } = start([{ text: "Done." }], undefined, { isNew: true });
  run.begin();
  await run.done;
  expect(said.at(-1)).toMatchObject({ type: "stumbled", orderId: ORDER_ID });
});
