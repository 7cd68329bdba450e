import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { TeamDocument } from "../contract/documents/teams/team.ts";
import { FORMAT } from "../contract/format.ts";
import { BY_DAEMON, commitAll } from "../workspace/core.ts";
import { openHall } from "../workspace/hall/open-hall.ts";
import { TeamStore } from "./team-store.ts";

const change = { actor: BY_DAEMON };
const AT = "2026-03-01T10:00:00.000Z";
const document = (id: string, projectId = "shop"): TeamDocument => ({
  ...{ id, projectId, name: "Sums", goal: "Add numbers", taskId: "TASK-001", approval: "plan", budgetUsd: null },
  ...{ sdd: { value: "auto", because: "the default" }, createdAt: AT, createdBy: "person" },
});

async function open(workspace = join(temporaryFolder(), "workspace")) {
  const { hall, core, ...opened } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= opened.close();
    return closed;
  };
  onTestFinished(close);
  if (core.projects.get("shop") === undefined)
    await hall.projects.create({ id: "shop", name: "Shop", config: { constraints: {} } } as never, {
      actor: { kind: "person", via: "http" },
    });
  const store = new TeamStore(core);
  store.load();
  return { workspace, core, store, close };
}

describe("the store of teams", () => {
  it("keeps a fact and what the log tells of it in one change, and folds the facts again at a start [S1-TM-18]", async () => {
    const { workspace, core, store, close } = await open();
    await commitAll(core, store.begin(document("team-1"), change));
    await store.append("team-1", [{ type: "lead-started", step: "spec", runId: "run-1" }], { change });
    await store.append("team-1", [{ type: "paused", by: "person" }], { change });
    const told = core.events.read({ after: 0, limit: 100, type: "team" });
    expect(told.map(({ type, after }) => [type, after?.status])).toEqual([
      ["team.created", undefined],
      ["team.moved", "paused"],
    ]);
    await close();
    const again = await open(workspace);
    expect(again.store.get("team-1")).toMatchObject({ seq: 3, status: "paused", pausedFrom: "specifying" });
    expect(again.store.get("team-1").lead).toEqual({ step: "spec", runId: "run-1" });
  });

  it("keeps the newest 1,500 entries of a feed, for each team its own [S1-TM-04] [S1-TM-11]", async () => {
    const { core, store } = await open();
    for (const id of ["team-1", "team-2"]) await commitAll(core, store.begin(document(id), change));
    const note = (at: number) => ({ type: "noted" as const, activity: "error" as const, data: { at } });
    await store.append(
      "team-1",
      Array.from({ length: 1_600 }, (_, at) => note(at)),
      { change },
    );
    await store.append("team-2", [note(7)], { change });
    const feed = store.activity("team-1");
    expect([feed.length, feed[0]?.data, feed.at(-1)?.data]).toEqual([1_500, { at: 100 }, { at: 1_599 }]);
    expect(store.activity("team-2").map(({ data }) => data)).toEqual([{ at: 7 }]);
  });

  it("leaves a broken log alone, says where it is broken, and reads it when it is fixed", async () => {
    const { workspace, core, store, close } = await open();
    for (const id of ["team-1", "team-2"]) await commitAll(core, store.begin(document(id), change));
    await close();
    const path = join(workspace, "projects/shop/teams/team-1/state.jsonl");
    const good = readFileSync(path, "utf8");
    appendFileSync(path, '{"seq":2,"at":"x","fact":{"type":"nonsense"}}\n');
    const again = await open(workspace);
    expect(again.store.problems()).toMatchObject([{ kind: "team", id: "team-1", line: 2, severity: "invalid" }]);
    expect(() => again.store.get("team-1")).toThrow(/state\.jsonl, line 2/);
    expect(again.store.get("team-2").status).toBe("specifying");
    expect(readFileSync(path, "utf8")).not.toBe(good);
    writeFileSync(path, good);
    expect(again.store.retryBroken()).toEqual(["team-1"]);
    expect(again.store.problems()).toEqual([]);
  });

  it("does not take over the teams of a project that was copied", async () => {
    const { workspace, core, store, close } = await open();
    await commitAll(core, store.begin(document("team-1"), change));
    await close();
    const path = join(workspace, "projects/shop/teams/team-1/team.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"projectId": "shop"', '"projectId": "other"'));
    const again = await open(workspace);
    expect(again.store.all()).toEqual([]);
    expect(again.store.problems()).toEqual([]);
  });

  it("goes back to what is on disk when a change is refused", async () => {
    const { core, store } = await open();
    await commitAll(core, store.begin(document("team-1"), change));
    const refused = store.with("team-1", [{ type: "paused", by: "person" }], { change }, () =>
      Promise.reject(new Error("refused")),
    );
    await expect(refused).rejects.toThrow("refused");
    expect(store.get("team-1")).toMatchObject({ seq: 1, status: "specifying" });
  });

  it("reads teams that have ended when someone asks, unless something may be left to do for them [S1-TM-01]", async () => {
    const { workspace, core, store, close } = await open();
    for (const id of ["team-1", "team-2", "team-3"]) await commitAll(core, store.begin(document(id), change));
    const ends = [{ type: "delivered" as const, runId: "run-1" }];
    for (const id of ["team-1", "team-2"]) await store.append(id, ends, { change });
    writeFileSync(join(workspace, "projects/shop/teams/team-1/report.md"), "# Sums\n");
    // Of one that is at work, a file says nothing.
    writeFileSync(join(workspace, "projects/shop/teams/team-3/report.md"), "# Sums\n");
    await close();
    const { store: again, close: closeAgain } = await open(workspace);
    expect(again.open().map((state) => [state.document.id, state.status])).toEqual([
      ["team-2", "completed"],
      ["team-3", "specifying"],
    ]);
    expect(again.all()).toContainEqual({ id: "team-1", projectId: "shop", status: "completed" });
    expect(again.get("team-1")).toMatchObject({ seq: 2, status: "completed" });
    expect(again.activity("team-1")).toEqual([]);
    const log = join(workspace, "projects/shop/teams/team-1/state.jsonl");
    const whole = readFileSync(log, "utf8");
    // Whatever it says, it came after the end.
    const newer = { seq: 3, at: AT, fact: { type: "question-filed" }, format: FORMAT + 1 };
    writeFileSync(log, `${whole}${JSON.stringify(newer)}\n`);
    const read = new TeamStore(core);
    read.load();
    expect(read.problems()).toMatchObject([{ id: "team-1", line: 3, reason: expect.stringContaining("has format") }]);
    writeFileSync(log, whole);
    again.settle("team-2");
    expect(again.open()).toHaveLength(1);
    expect(again.get("team-2").status).toBe("completed");
    expect(() => again.get("team-4")).toThrow("There is no team 'team-4'.");
    await again.archive("team-1", change);
    expect(again.find("team-1")).toBeUndefined();
    again.forget("shop");
    expect(again.all()).toEqual([]);
    await closeAgain();
  });
});
