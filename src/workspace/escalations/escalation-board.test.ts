import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { HallEvent } from "../../contract/event.ts";
import { openHall } from "../hall/open-hall.ts";
import type { EscalationFields } from "./escalations.ts";

const NOW = "2026-11-16T12:00:00.000Z";
const change = { actor: { kind: "person" as const, via: "http" as const } };

const QUESTION: EscalationFields = {
  type: "decision",
  origin: "agent",
  projectId: "auth",
  initiative: "jwt-refresh",
  question: "Should we use Redis or Memcached for token blacklisting?",
  context: "Token refresh needs a blacklist.",
  suggestedAnswers: [
    { label: "Redis", description: "Persistent" },
    { label: "Memcached", description: "Simpler" },
  ],
  escalatedBy: "run:one",
  escalationPath: ["run:one"],
  history: [{ at: NOW, by: "run:one", action: "asked" }],
  askers: [{ kind: "run", id: "one", waits: true, askedAt: NOW }],
  priority: "high",
  blocksTask: "TASK-004",
  blocksInitiative: false,
  createdAt: NOW,
  updatedAt: NOW,
  status: "draft",
  resolution: null,
  answer: null,
  resolvedBy: null,
  resolvedAt: null,
  sources: [],
  replaces: [],
  reminders: 0,
};

const ANSWER = {
  status: "resolved" as const,
  outcome: "answered" as const,
  resolution: "Use Redis",
  answer: "Redis",
  resolvedBy: "person",
  resolvedAt: NOW,
};

async function openBoard(workspace = temporaryFolder()) {
  const open = await openHall({ workspace, clock: () => new Date(NOW), version: "0" });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= open.close();
    return closed;
  };
  onTestFinished(close);
  const events: HallEvent[] = [];
  onTestFinished(open.hall.events.subscribe((event) => events.push(event)));
  const names = (folder: string) => readdirSync(join(workspace, "escalations", folder));
  const file = (path: string) => JSON.parse(readFileSync(join(workspace, path), "utf8")) as Record<string, unknown>;
  return { ...open, close, board: open.hall.escalations, workspace, events, names, file };
}

describe("the documents of escalations", () => {
  it("are JSON files with every field, which move with their status [S4-FS-03] [S4-ESC-05] [S4-ESC-10] [S4-ESC-11]", async () => {
    const { board, names, file, events } = await openBoard();
    const made = await board.create(QUESTION, change);
    expect(made).toMatchObject({ id: "esc-001", path: "escalations/draft/esc-001.json", status: "draft" });
    expect(file(made.path)).toEqual({ id: "esc-001", ...QUESTION });
    await board.change("esc-001", (now) => ({ ...now, status: "pending" }), { type: "escalation.promoted" }, change);
    expect([names("draft"), names("pending")]).toEqual([[], ["esc-001.json"]]);
    const answered = await board.change(
      "esc-001",
      (now) => ({ ...now, ...ANSWER }),
      { type: "escalation.resolved", after: { via: "page" } },
      change,
    );
    expect(answered.path).toBe("escalations/resolved/esc-001.json");
    expect([names("pending"), names("resolved")]).toEqual([[], ["esc-001.json"]]);
    expect(await board.get("esc-001")).toEqual(answered);
    expect(events.map(({ type }) => type)).toEqual([
      "escalation.created",
      "escalation.promoted",
      "escalation.resolved",
    ]);
    expect(events.at(-1)?.after).toMatchObject({ outcome: "answered", resolution: "Use Redis", via: "page" });
  });

  it("are open until they are resolved, and undelivered until every asker has the answer", async () => {
    const { board } = await openBoard();
    await board.create({ ...QUESTION, status: "pending" }, change);
    await board.create(QUESTION, change);
    expect(board.open().map(({ id }) => id)).toEqual(["esc-001", "esc-002"]);
    const resolve = { type: "escalation.resolved" as const };
    await board.change("esc-001", (now) => ({ ...now, ...ANSWER }), resolve, change);
    expect(board.open().map(({ id }) => id)).toEqual(["esc-002"]);
    expect(board.undelivered().map(({ id }) => id)).toEqual(["esc-001"]);
    const deliver = { type: "escalation.delivered" as const };
    const delivered = (now: EscalationFields) => now.askers.map((asker) => ({ ...asker, deliveredAt: NOW }));
    await board.change("esc-001", (now) => ({ ...now, askers: delivered(now) }), deliver, change);
    expect(board.undelivered()).toEqual([]);
  });

  it("change nothing when the edit throws, returns nothing, or gives what cannot be read back", async () => {
    const { board, events } = await openBoard();
    const made = await board.create(QUESTION, change);
    const what = { type: "escalation.updated" as const };
    await expect(
      board.change(
        "esc-001",
        () => {
          throw new Error("no");
        },
        what,
        change,
      ),
    ).rejects.toThrow("no");
    await board.change("esc-001", () => undefined, what, change);
    const bad = board.change("esc-001", (now) => ({ ...now, question: "" }), what, change);
    await expect(bad).rejects.toMatchObject({ code: "invalid" });
    const unanswered = board.change("esc-001", (now) => ({ ...now, status: "resolved" }), what, change);
    await expect(unanswered).rejects.toMatchObject({ code: "invalid" });
    await expect(board.get("esc-002")).rejects.toMatchObject({ code: "escalation_not_found" });
    await expect(board.get("../esc-001")).rejects.toMatchObject({ code: "escalation_not_found" });
    expect(await board.get("esc-001")).toEqual(made);
    expect(events).toHaveLength(1);
  });

  it("are listed by urgency, the resolved ones after the open ones, page by page", async () => {
    const { board } = await openBoard();
    const day = (count: number) => new Date(Date.parse(NOW) - count * 86_400_000).toISOString();
    const ask = (fields: Partial<EscalationFields>) => board.create({ ...QUESTION, ...fields }, change);
    await ask({ status: "pending", priority: "low" });
    await ask({ status: "pending", priority: "urgent" });
    await ask({ status: "pending", priority: "low", createdAt: day(5) });
    await ask({ ...ANSWER, resolvedAt: day(1) });
    await ask({ ...ANSWER, resolvedAt: day(0) });
    await ask({ status: "draft", projectId: "shop", question: "Which colour?" });
    await ask({ status: "pending", priority: "urgent", snoozedUntil: "2026-11-17T00:00:00.000Z" });
    const list = (query: object) => board.list({ limit: 100, ...query });
    const ids = (query: object) => list(query).escalations.map(({ id }) => id);
    expect(ids({})).toEqual(["esc-003", "esc-002", "esc-006", "esc-001", "esc-005", "esc-004"]);
    expect(ids({ status: "pending", snoozed: true })).toEqual(["esc-003", "esc-002", "esc-007", "esc-001"]);
    expect(ids({ project: "shop" })).toEqual(["esc-006"]);
    expect(ids({ q: "COLO" })).toEqual(["esc-006"]);
    const first = list({ limit: 4 });
    expect(first.total).toBe(6);
    expect(ids({ limit: 4, cursor: first.nextCursor })).toEqual(["esc-005", "esc-004"]);
  });

  it("hide secrets before they are written, in the file and in the log", async () => {
    const { board, workspace, events } = await openBoard();
    const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuv";
    await board.create({ ...QUESTION, question: `Is ${key} the right key?`, context: `key: ${key}` }, change);
    expect(readFileSync(join(workspace, "escalations/draft/esc-001.json"), "utf8")).not.toContain(key);
    expect(JSON.stringify(events)).not.toContain(key);
  });

  it("keep an answer that is larger than an event, and no more steps than a file may have", async () => {
    const { board } = await openBoard();
    const step = (count: number) => ({ at: NOW, by: "hall", action: "reminded" as const, reason: String(count) });
    const history = Array.from({ length: 1_200 }, (_, count) => step(count));
    await board.create({ ...QUESTION, history, context: "x".repeat(20_000) }, change);
    const made = await board.get("esc-001");
    expect([made.history.length, made.history[0]?.reason, made.history.at(-1)?.reason]).toEqual([1_000, "0", "1199"]);
  });

  it("refuse a change that was based on another version", async () => {
    const { board } = await openBoard();
    const { etag } = await board.create(QUESTION, change);
    const raise = (ifMatch: string) =>
      board.change(
        "esc-001",
        (now) => ({ ...now, priority: "urgent" }),
        { type: "escalation.updated" },
        { ...change, ifMatch },
      );
    await raise(etag);
    await expect(raise(etag)).rejects.toMatchObject({ code: "version_mismatch" });
  });
});

describe("without an index", () => {
  async function lost() {
    const first = await openBoard();
    await first.board.create({ ...QUESTION, status: "pending" }, change);
    await first.board.create({ ...QUESTION, ...ANSWER }, change);
    await first.board.create(QUESTION, change);
    const before = first.board.list({ limit: 100, snoozed: true });
    await first.close();
    rmSync(join(first.workspace, ".guildhall/index.db"));
    return { workspace: first.workspace, before };
  }

  it("everything is known again from the files, nothing is logged, and the log is whole", async () => {
    const { workspace, before } = await lost();
    const { board, hall } = await openBoard(workspace);
    expect(board.list({ limit: 100, snoozed: true })).toEqual(before);
    expect(board.undelivered().map(({ id }) => id)).toEqual(["esc-002"]);
    const types = (await hall.events.read({ after: 0, limit: 100 })).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("escalation."))).toEqual(Array(3).fill("escalation.created"));
    expect(await hall.events.verify()).toMatchObject({ ok: true });
    expect((await board.create(QUESTION, change)).id).toBe("esc-004");
  });

  it("ids are not given again, though the newest file is gone", async () => {
    const { workspace } = await lost();
    rmSync(join(workspace, "escalations/draft/esc-003.json"));
    expect((await (await openBoard(workspace)).board.create(QUESTION, change)).id).toBe("esc-004");
  });

  it("the status in a file counts where folder and file disagree", async () => {
    const { workspace } = await lost();
    renameSync(join(workspace, "escalations/pending/esc-001.json"), join(workspace, "escalations/draft/esc-001.json"));
    const { board, names } = await openBoard(workspace);
    expect(await board.get("esc-001")).toMatchObject({ status: "pending", path: "escalations/pending/esc-001.json" });
    expect([names("draft"), names("pending")]).toEqual([["esc-003.json"], ["esc-001.json"]]);
  });

  it("a workspace without the folders gets them, and other files in them are left alone", async () => {
    const { workspace } = await lost();
    rmSync(join(workspace, "escalations"), { recursive: true });
    mkdirSync(join(workspace, "escalations"));
    writeFileSync(join(workspace, "escalations/README.md"), "mine");
    const { board } = await openBoard(workspace);
    expect(board.list({ limit: 100 })).toEqual({ escalations: [], invalid: [], total: 0 });
    rmSync(join(workspace, "escalations"), { recursive: true });
    expect((await board.create(QUESTION, change)).path).toMatch(/^escalations\/draft\/esc-/);
  });
});
