import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runPlan } from "../../../test/fakes/api-documents.ts";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { openEventLog } from "../../../test/harness/event-log.ts";
import type { Run } from "../../contract/runs/run.ts";
import { Files } from "../../store/files/files.ts";
import { timeSortedIds } from "../../store/ids.ts";
import { HallIndex } from "../../store/index/hall-index.ts";
import { keep } from "../../workspace/core.ts";
import { Shown } from "../../workspace/shown.ts";
import { RunBook } from "./run-book.ts";

const BY = { actor: { kind: "person", via: "http" } } as const;
const clock = () => new Date("2026-01-02T03:04:05.000Z");

async function open(folder = temporaryFolder()) {
  const files = new Files(folder);
  for (const id of ["shop", "copy"]) mkdirSync(join(folder, "projects", id), { recursive: true });
  const isFirst = !existsSync(join(folder, "index.db"));
  const index = new HallIndex(join(folder, "index.db"));
  // What is tested here needs the index as it was left.
  if (!isFirst) expect(index.emptyBecause, "why the index is empty").toBeUndefined();
  // As a start does: an index that was never filled is thrown away by the next one.
  if (index.emptyBecause !== undefined) index.rebuild("file", () => undefined);
  const events = await openEventLog({ files, clock, nextId: timeSortedIds(clock), knownSeq: 0 });
  const core = {
    files,
    shown: new Shown(index),
    runRows: index,
    events,
    recovered: new Map(),
    compareSoon: () => undefined,
  };
  const book = new RunBook(core);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await events.close();
    expect(index.condition).toEqual({ state: "sound" });
    index.close();
    expect(existsSync(join(folder, "index.db")), "the index is a file").toBe(true);
  };
  onTestFinished(close);
  return { folder, core, book, index, close, path: join(folder, "projects/shop/runs/index.jsonl") };
}

type Opened = Awaited<ReturnType<typeof open>>;

const loadAll = ({ book }: Opened) => ["copy", "shop"].map((id) => book.load(id));

function runCalled(id: string, more: Partial<Run> = {}): Run {
  const usage = {
    turns: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUsd: 0,
    costKnown: true,
  };
  return {
    id,
    projectId: "shop",
    taskId: "TASK-001",
    roleId: "coder",
    rank: "worker",
    purpose: "work",
    title: id,
    status: "pending",
    progress: 0,
    model: "offline/rehearsal",
    attempt: 0,
    createdAt: clock().toISOString(),
    usage,
    ...more,
  };
}

/** Durable when it resolves; answers how it is shown. */
async function made(book: RunBook, core: Opened["core"], run: Run): Promise<() => void> {
  const plan = { type: "plan" as const, plan: runPlan({ runId: run.id }) };
  const { writes, apply } = await book.created(plan, run, { by: BY });
  const placed = await keep(core, writes);
  return () => apply(placed);
}

async function create({ book, core }: Opened, run: Run): Promise<void> {
  (await made(book, core, run))();
}

it("shows what was written in the table, from the first line of a run to its last", async () => {
  const opened = await open();
  const { book, index } = opened;
  await create(opened, runCalled("run-1"));
  const known = () => index.runs.get("run-1") ?? expect.fail("the run is not known");
  expect(known()).toMatchObject({ epoch: 0, crashes: 0, messages: [], run: { status: "pending" } });
  await book.leased(known(), 3, "2026-01-02T03:04:06.000Z");
  await book.crashed(known(), { epoch: 3, cause: "signal SIGKILL", at: "" });
  await book.messaged(known(), { id: "m1", text: "Hello", at: "" });
  expect(known()).toMatchObject({ epoch: 3, crashes: 1, messages: [{ id: "m1", text: "Hello" }] });
  expect(known().run).toMatchObject({ status: "running", attempt: 3, startedAt: "2026-01-02T03:04:06.000Z" });
  await book.settled({ ...known().run, status: "completed" }, 3, { notify: false });
  expect(index.runs.unsettled()).toEqual([]);
});

it("shows a run that was created with its lease as running, and so does the next start", async () => {
  const first = await open();
  const lease = { epoch: 1, at: "2026-01-02T03:04:06.000Z" };
  const run = runCalled("run-1");
  const plan = { type: "plan" as const, plan: runPlan({ runId: run.id }) };
  const { events, writes, apply } = await first.book.created(plan, run, { by: BY, lease });
  expect(events.map(({ type }) => type)).toEqual(["run.created", "run.started"]);
  apply(await keep(first.core, writes));
  const leased = { epoch: 1, run: { status: "running", attempt: 1, startedAt: lease.at } };
  expect(first.index.runs.get("run-1")).toMatchObject(leased);
  await first.close();
  const second = await open(first.folder);
  expect(loadAll(second).flatMap(({ lines }) => lines)).toEqual([]);
  second.index.rebuild("file", () => undefined);
  second.book.refill();
  expect(second.index.runs.get("run-1")).toMatchObject(leased);
});

it("tells what was decided about a run, also after a start and when the run is settled", async () => {
  const first = await open();
  await create(first, runCalled("run-1"));
  const known = first.index.runs.get("run-1") ?? expect.fail("the run is not known");
  expect(first.book.planOf(known)).toMatchObject({ runId: "run-1" });
  await first.book.settled({ ...known.run, status: "completed" }, 1, { notify: false });
  expect(first.book.planOf(known)).toMatchObject({ runId: "run-1" });
  await first.close();
  const second = await open(first.folder);
  expect(second.book.planOf(known)).toMatchObject({ runId: "run-1" });
  writeFileSync(join(first.folder, known.journal), "broken\n");
  const third = new RunBook({ ...second.core, files: new Files(first.folder) });
  expect(third.planOf(known)).toBeUndefined();
});

it("is not read again by a start when the index has seen it to the end, however long it is", async () => {
  const first = await open();
  await create(first, runCalled("run-1"));
  await first.close();
  const whole = readFileSync(first.path, "utf8");
  writeFileSync(first.path, "?".repeat(whole.length - 1).concat("\n"));
  const second = await open(first.folder);
  expect(loadAll(second).flatMap(({ lines }) => lines)).toEqual([]);
  expect(second.index.runs.get("run-1")?.run.title).toBe("run-1");
});

it("is read on from where the index has seen it, and again until somebody says that it was seen", async () => {
  const first = await open();
  await create(first, runCalled("run-1"));
  // On disk, and never shown: the crash came first.
  await made(first.book, first.core, runCalled("run-2"));
  await first.close();
  for (const isSeen of [false, true]) {
    const next = await open(first.folder);
    const loaded = loadAll(next);
    expect(loaded.flatMap(({ lines, isWhole }) => lines.map((line) => [line.type, isWhole]))).toEqual([
      ["created", false],
    ]);
    expect(next.index.runs.get("run-2")?.run.title).toBe("run-2");
    if (isSeen) for (const { seen } of loaded) seen();
    await next.close();
  }
  expect(loadAll(await open(first.folder)).flatMap(({ lines }) => lines)).toEqual([]);
});

it("does not count as seen beyond a line that is still on its way, even when later ones have arrived", async () => {
  const first = await open();
  const showFirst = await made(first.book, first.core, runCalled("run-1"));
  await create(first, runCalled("run-2"));
  await first.close();
  first.book.forget("shop");
  showFirst();
  const next = await open(first.folder);
  const lines = loadAll(next).flatMap((loaded) => loaded.lines);
  expect(lines.map((line) => (line.type === "created" ? line.run.id : line.type))).toEqual(["run-1", "run-2"]);
});

it("is read from the start when it is another file, and when the index knows nothing", async () => {
  const first = await open();
  await create(first, runCalled("run-1"));
  await first.close();
  const { load, index } = await replaced(first.path, first.folder);
  expect(load()).toMatchObject({ isWhole: true, lines: [{ type: "created" }] });
  index.rebuild("file", () => undefined);
  expect(load()).toMatchObject({ isWhole: true, lines: [{ type: "created" }] });
});

async function replaced(path: string, folder: string) {
  const text = readFileSync(path, "utf8");
  const { renameSync } = await import("node:fs");
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  const { book, index } = await open(folder);
  return { index, load: () => book.load("shop") };
}

it("leaves out and reports broken lines and lines of an unknown kind, and leaves out those that a copied folder brought from elsewhere", async () => {
  const opened = await open();
  const { book, index, folder, path } = opened;
  await create(opened, runCalled("run-1"));
  const created = readFileSync(path, "utf8");
  const copy = join(folder, "projects/copy/runs/index.jsonl");
  mkdirSync(join(folder, "projects/copy/runs"), { recursive: true });
  const own = created.replaceAll("run-1", "run-9").replace('"projectId":"shop"', '"projectId":"copy"');
  appendFileSync(copy, `not json\nnull\n{"type":"unheard-of","runId":"run-1"}\n{"type":"leased"}\n${created}${own}`);
  expect(book.load("copy").lines).toHaveLength(1);
  expect(index.files.problems().map(({ kind, projectId, line, reason }) => [kind, projectId, line, reason])).toEqual([
    ["log", "copy", 1, expect.stringContaining("it is not a JSON object")],
    ["log", "copy", 2, expect.stringContaining("it is not a JSON object")],
    ["log", "copy", 3, expect.stringContaining("type: ")],
    ["log", "copy", 4, expect.stringContaining("epoch: ")],
  ]);
  expect(index.runs.get("run-1")?.run.projectId).toBe("shop");
  expect(index.runs.get("run-9")?.run.projectId).toBe("copy");
});

it("keeps a torn last line beside itself and writes on behind the last whole one", async () => {
  const first = await open();
  await create(first, runCalled("run-1"));
  await first.close();
  appendFileSync(first.path, '{"type":"leased","runId":"run-1","epo');
  const next = await open(first.folder);
  const known = next.index.runs.get("run-1") ?? expect.fail("the run is not known");
  await next.book.leased(known, 1, "");
  const lines = readFileSync(first.path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["created", "leased"]);
});

it("reads a journal without the lines in it that are no entries", async () => {
  const opened = await open();
  const { folder, book, index } = opened;
  await create(opened, runCalled("run-1"));
  const known = index.runs.get("run-1") ?? expect.fail("the run is not known");
  const lines = ['{"type":"answer"}', '{"type":"toString"}', "null", "garbage", '{"type":"started","epoch":1,"at":""}'];
  appendFileSync(join(folder, known.journal), `${lines.join("\n")}\n`);
  expect(book.journalOf(known).map(({ type }) => type)).toEqual(["plan", "started"]);
});

it("reads a book without the lines in it that are no lines of a book", async () => {
  const opened = await open();
  const { folder, path, close } = opened;
  await create(opened, runCalled("run-1"));
  await create(opened, runCalled("run-2"));
  await close();
  const damaged = [
    '{"type":"created","run":{"id":"run-3","projectId":"shop"},"journal":"x"}',
    '{"type":"settled","run":{"id":"run-1","projectId":"shop"},"epoch":1}',
    '{"type":"leased","runId":"run-1","epoch":"no"}',
    '{"type":"settled"}',
    "null",
  ];
  writeFileSync(path, `${damaged.join("\n")}\n${readFileSync(path, "utf8")}${damaged.join("\n")}\n`);
  const again = await open(folder);
  again.book.load("shop");
  const runs = again.index.runs.list({ limit: 10 }).map(({ run }) => [run.id, run.status]);
  expect(runs.toSorted()).toEqual([
    ["run-1", "pending"],
    ["run-2", "pending"],
  ]);
});

it("goes on in the file that took the book's place while it was open", async () => {
  const opened = await open();
  const { folder, path, close } = opened;
  await create(opened, runCalled("run-1"));
  copyFileSync(path, `${path}.new`);
  renameSync(`${path}.new`, path);
  await create(opened, runCalled("run-2"));
  await close();
  const again = await open(folder);
  again.book.load("shop");
  expect(again.index.runs.list({ limit: 10 }).map(({ run }) => run.id)).toEqual(["run-2", "run-1"]);
});
