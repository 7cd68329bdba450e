import { describe, expect, it } from "vitest";
import { fakeEngine } from "../fakes/fake-engine.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { entriesOf, journalOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const SECOND = JSON.stringify({
  turns: [
    { calls: [{ tool: "list", input: {} }] },
    { calls: [{ tool: "write", input: { path: "a.txt", content: "second\n" } }] },
    { text: "Done." },
  ],
});
/** Writes at once, then works on. */
const FIRST = JSON.stringify({
  turns: [
    { calls: [{ tool: "write", input: { path: "a.txt", content: "first\n" } }] },
    { delayMs: 60_000, text: "Too late." },
  ],
});

const owned = async (hall: Hall) => (await hall.call("GET", `/api/projects/${PROJECT}/owners`)).body;

async function collide(ownership: string) {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const engine = fakeEngine(() => ({ verdict: "pass" }), { appliesTo: "off", ownership });
  const playbooks = { first: FIRST, second: SECOND, other: writing({ "b.txt": "other\n" }) };
  const hall = await hallOver(await startHall(undefined, { engine }), { root: repo.root, playbooks });
  const first = await spawnRun(hall, "first", "First");
  await eventually(
    () => entriesOf(journalOf(hall.workspace, first), "result").length,
    (count) => count === 1,
  );
  const second = await spawnRun(hall, "second", "Second");
  await untilOver(hall, second);
  return { hall, first, second };
}

describe("files that two runs change at the same time", () => {
  it("are a conflict that both are told of, where the project warns [S1-MOD-06] [S1-ACT-20]", async () => {
    const { hall, first, second } = await collide("warn");
    const { owners, conflicts } = await owned(hall);
    expect(owners).toMatchObject([{ path: "a.txt", runId: first }]);
    expect(conflicts).toMatchObject([{ path: "a.txt", owner: { runId: first }, runId: second, mode: "warn" }]);
    const events = (await hall.call("GET", "/api/events/log?type=file.conflict")).body.events;
    expect(events).toMatchObject([{ subject: { kind: "run", id: second }, after: { path: "a.txt" } }]);
    const results = entriesOf(journalOf(hall.workspace, second), "result").map(({ output }) => output);
    expect(results.join("\n")).toContain(`a.txt is also being changed by run ${first}`);
    await hall.call("POST", `/api/runs/${first}/stop`);
    expect((await runOf(hall, first)).status).toBe("cancelled");
    await eventually(
      async () => (await owned(hall)).owners.length,
      (count) => count === 0,
    );
  });

  it("belong to the first run where the project is strict: the second one is refused", async () => {
    const { hall, first, second } = await collide("strict");
    const results = entriesOf(journalOf(hall.workspace, second), "result").map(({ output }) => output);
    expect(results.join("\n")).toContain(`a.txt is being changed by run ${first}`);
    expect((await runOf(hall, second)).delivery?.state).toBe("unchanged");
    expect((await owned(hall)).conflicts).toMatchObject([{ mode: "strict", runId: second }]);
  });

  it("are not looked at where ownership is off, and different files are no conflict", async () => {
    const { hall } = await collide("off");
    expect(await owned(hall)).toMatchObject({ conflicts: [] });
    const other = await spawnRun(hall, "other", "Other");
    await untilOver(hall, other);
    expect((await owned(hall)).conflicts).toEqual([]);
  });
});
