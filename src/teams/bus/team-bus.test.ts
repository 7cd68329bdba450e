import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { TeamDocument } from "../../contract/documents/teams/team.ts";
import { BY_DAEMON, commitAll } from "../../workspace/core.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { TeamStore } from "../team-store.ts";
import { SharedMemory } from "./shared-memory.ts";
import { TeamBus } from "./team-bus.ts";
import { TeamFolder } from "./team-folder.ts";

const change = { actor: BY_DAEMON };
const ID = "team-1";
const document: TeamDocument = {
  ...{ id: ID, projectId: "shop", name: "Sums", goal: "Add numbers", taskId: "TASK-001", approval: "plan" },
  ...{ budgetUsd: null, sdd: { value: "auto", because: "the default" }, createdBy: "person" },
  createdAt: "2026-03-01T10:00:00.000Z",
};

/** A team with a lead and a worker, none of which has a run. */
async function open() {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, core, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  await hall.projects.create({ id: "shop", name: "Shop", config: { constraints: {} } } as never, {
    actor: { kind: "person", via: "http" },
  });
  const store = new TeamStore(core);
  store.load();
  await commitAll(core, store.begin(document, change));
  const joined = { type: "member-joined" as const, roleId: "engineer" };
  await store.append(
    ID,
    [
      { ...joined, name: "lead-oslo", rank: "lead" },
      { ...joined, name: "worker-lima", rank: "worker" },
    ],
    { change },
  );
  const runs = {
    say: () => Promise.reject(new Error("nobody works")),
    journal: () => [],
    withoutSecrets: (_: string, text: string) => text.replaceAll("s3cret", "[hidden]"),
  };
  const newBus = () => new TeamBus({ core, store, runs, onTrouble: (_, error) => expect.fail(String(error)) });
  const folder = join(workspace, "projects/shop/teams", ID);
  return { core, store, newBus, folder, state: store.get(ID) };
}

const message = (text: string, key?: string) => ({ from: "person", to: "worker-lima", type: "message", text, key });

describe("the bus of a team", () => {
  it("keeps messages without secrets, under one key once, and reads them again", async () => {
    const { newBus, folder } = await open();
    const bus = newBus();
    const [first, again] = await Promise.all([
      bus.post(ID, message("The key is s3cret.", "k1")),
      bus.post(ID, message("The key is s3cret.", "k1")),
    ]);
    expect(again).toEqual(first);
    await bus.post(ID, { from: "hall", to: "lead", type: "nudge", text: "Continue." });
    appendFileSync(join(folder, "messages.jsonl"), '{"line":"message","se');
    const shown = newBus().list(ID);
    expect(shown.map(({ id, to, text }) => [id, to, text])).toEqual([
      ["MSG-001", "worker-lima", "The key is [hidden]."],
      ["MSG-002", "lead-oslo", "Continue."],
    ]);
    const third = await newBus().post(ID, { ...message("More."), to: "all" });
    expect(third).toMatchObject({ id: "MSG-003", seq: 3 });
    expect(
      newBus()
        .list(ID, { member: "lead-oslo", after: 1 })
        .map(({ seq }) => seq),
    ).toEqual([2, 3]);
  });

  it("refuses unknown members, a full mailbox and a file that is none, with a code", async () => {
    const { newBus, folder } = await open();
    const bus = newBus();
    const codeOf = (posted: Promise<unknown>) =>
      posted.then(
        () => "sent",
        ({ code }) => code,
      );
    expect(await codeOf(bus.post(ID, { ...message("Hi"), to: "worker-nowhere" }))).toBe("team_refused");
    expect(await codeOf(bus.post("team-none", message("Hi")))).toBe("team_not_found");
    for (let at = 0; at < 50; at++) await bus.post(ID, message(`Message ${at}`));
    expect(await codeOf(bus.post(ID, message("One more")))).toBe("mailbox_full");
    expect(bus.list(ID)).toHaveLength(50);
    expect(readFileSync(join(folder, "messages.jsonl"), "utf8").trim().split("\n")).toHaveLength(50);
    expect(() => bus.get(ID, "MSG-099")).toThrow("no message");
  });

  it("keeps the newest 2,000 in a file that is rewritten whole, and adds less than a millisecond a turn [S1-TM-12]", async () => {
    const { newBus, folder } = await open();
    const path = join(folder, "messages.jsonl");
    const lines = Array.from({ length: 2_200 }, (_, at) => ({
      ...{ line: "message", id: `MSG-${at + 1}`, seq: at + 1, at: "2026-03-01T10:00:00.000Z", format: 1 },
      ...{ from: "worker-lima", to: "all", type: "blocker", text: "x".repeat(200) },
    }));
    writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const bus = newBus();
    await bus.post(ID, { ...message("The newest"), to: "all" });
    const kept = bus.list(ID);
    expect([kept.length, kept[0]?.seq, kept.at(-1)?.seq]).toEqual([2_000, 202, 2_201]);
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2_000);
    expect(newBus().list(ID)).toEqual(kept);
    // What the bus does for a run that is taken up; a turn of a run at work costs nothing at all.
    const run = { id: "run-1", team: { id: ID, member: "worker-lima" }, purpose: "work", status: "running" } as never;
    await bus.collect(run);
    const took: number[] = [];
    for (let turn = 0; turn < 101; turn++) {
      const from = performance.now();
      await bus.collect(run);
      took.push(performance.now() - from);
    }
    expect(took.toSorted((left, right) => left - right)[50]).toBeLessThan(1);
  });
});

describe("the shared memory of a team", () => {
  it("loses nothing when two write at once: the second is told what is there [S2-SES-02]", async () => {
    const { core, state, folder } = await open();
    const memory = new SharedMemory(core);
    const writes = await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, at) => memory.write(state, { key: `key-${at}`, value: at })),
      memory.write(state, { key: "same", value: "left" }),
      memory.write(state, { key: "same", value: "right" }),
      memory.setState(state, "worker-lima", { status: "busy" }),
      memory.setState(state, "lead-oslo", { status: "idle" }),
    ]);
    expect(writes.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "memory_conflict", message: expect.stringContaining('"left"') } },
    ]);
    const kept = JSON.parse(readFileSync(join(folder, "shared-memory.json"), "utf8"));
    expect(Object.keys(kept)).toHaveLength(12);
    expect(kept.role_state).toEqual({ "worker-lima": { status: "busy" }, "lead-oslo": { status: "idle" } });
    const [same] = memory.read(state, ["same"]);
    await memory.write(state, { key: "same", value: "right", etag: same?.etag });
    // The same call again, after a crash, changes nothing and is not refused.
    await memory.write(state, { key: "same", value: "right", etag: same?.etag });
    expect(memory.read(state, ["same"])).toMatchObject([{ value: "right" }]);
  });

  it("takes a person's edit, refuses what is too large, and leaves a broken file alone", async () => {
    const { core, state, folder } = await open();
    const memory = new SharedMemory(core);
    const path = join(folder, "shared-memory.json");
    writeFileSync(path, '{"mine": 1}');
    await memory.write(state, { key: "theirs", value: 2 });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ mine: 1, theirs: 2 });
    const large = { key: "large", value: "x".repeat(70_000) };
    await expect(memory.write(state, large)).rejects.toMatchObject({ code: "too_large" });
    await expect(memory.write(state, { key: "role_state", value: {} })).rejects.toMatchObject({ code: "invalid" });
    writeFileSync(path, "[1]");
    await expect(memory.write(state, { key: "more", value: 1 })).rejects.toMatchObject({ code: "file_invalid" });
    expect(readFileSync(path, "utf8")).toBe("[1]");
  });
});

it("wisdom has a note of a member once, and an artifact is replaced by whoever has read it [S2-SES-03] [S2-SES-04]", async () => {
  const { core, state, folder } = await open();
  const files = new TeamFolder(core);
  await files.ensure(state);
  expect([existsSync(join(folder, "artifacts")), existsSync(join(folder, "wisdom/issues.md"))]).toEqual([true, true]);
  const note = { file: "issues", text: "Mind the gap.", by: "worker-lima" };
  await Promise.all([files.addWisdom(state, note), files.addWisdom(state, { ...note, by: "lead-oslo" })]);
  await files.addWisdom(state, note);
  expect(files.read(state, "wisdom/issues.md").text).toBe(
    "# Issues\n\n- Mind the gap. (worker-lima)\n- Mind the gap. (lead-oslo)\n",
  );
  const { etag } = await files.saveArtifact(state, { path: "artifacts/a.md", content: "one" });
  const blind = files.saveArtifact(state, { path: "artifacts/a.md", content: "two" });
  await expect(blind).rejects.toMatchObject({ code: "memory_conflict" });
  await files.saveArtifact(state, { path: "artifacts/a.md", content: "two", etag });
  expect(files.list(state).map(({ path }) => path)).toEqual(["wisdom/issues.md", "artifacts/a.md"]);
  expect(() => files.read(state, "artifacts/b.md")).toThrow("no file");
});
