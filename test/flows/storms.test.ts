import { describe, expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import { entriesOf, furnish, journalOf, listRuns, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const look = (path: string) => ({ calls: [{ name: "list", input: { path } }] });
const child = (title: string) => `  - calls: [{tool: spawn_subagent, input: {role: helper, title: ${title}}}]\n`;

describe("a run that goes in circles", () => {
  it.each([
    { name: "one call", circle: ["."], turns: 5 },
    { name: "two calls in turn", circle: [".", "./"], turns: 10 },
    { name: "three calls in turn", circle: [".", "./", "x"], turns: 15 },
  ])("is warned, slowed and stopped: $name", async ({ circle, turns }) => {
    const { hall, provider, spawn } = await scriptedHall(({ turns: at }) => look(circle[at % circle.length] ?? "."));
    const { body } = await spawn({ options: { waitForCompletion: true } });
    expect(body).toMatchObject({ status: "failed", cause: "repeats" });
    expect(provider.requests).toHaveLength(turns);
    // The last round before the end has to wait, and no other.
    const at = entriesOf(journalOf(hall.workspace, body.sessionId), "answer").map((answer) => Date.parse(answer.at));
    const pauses = at.slice(1).map((time, before) => time - (at[before] ?? 0));
    expect(Math.max(...pauses.slice(-circle.length))).toBeGreaterThanOrEqual(1_000);
    const journal = journalOf(hall.workspace, body.sessionId);
    const warned = entriesOf(journal, "result").map(({ output }) => /Repeating them won't help/.test(output));
    expect(warned.indexOf(true)).toBe(circle.length * 3 - 1);
    expect(warned.lastIndexOf(true)).toBe(circle.length * 5 - 2);
  });
});

describe("agents that start agents", () => {
  const spawned = async (limits: object, titles: string[]) => {
    const hall = await furnish(await startHall(undefined, { config: { limits } }), {
      parent: `turns:\n${titles.map(child).join("")}  - text: Done.\n`,
      helper: "turns: [{text: Yes.}]",
    });
    const run = await untilOver(hall, await spawnRun(hall, "parent", "parent"));
    const results = entriesOf(journalOf(hall.workspace, run.id), "result").map(({ output }) => output);
    return { results, runs: await listRuns(hall) };
  };

  it("may not start more within a minute than the limit says", async () => {
    const { results, runs } = await spawned({ spawnsPerMinute: 2 }, ["A", "B", "C"]);
    expect(results).toEqual(["Yes.", "Yes.", expect.stringContaining("limits.spawnsPerMinute is 2")]);
    expect(runs).toHaveLength(3);
  });

  it("and are started by those in turn come to an end", async () => {
    const ask = (role: string) =>
      `turns:\n  - calls: [{tool: spawn_subagent, input: {role: ${role}, title: Your turn}}]\n  - text: "{{last.spawn_subagent}}"\n`;
    const limits = { spawnDepth: 20, spawnsPerTree: 100, spawnsPerRun: 100, runs: 40, runsPerProject: 40 };
    const hall = await furnish(await startHall(undefined, { config: { limits } }), {
      ping: ask("pong"),
      pong: ask("ping"),
    });
    for (const name of ["ping", "pong"]) {
      const role = { id: name, name, skills: ["spawn_subagent"], modelConfig: { model: `offline/${name}` } };
      expect((await hall.call("POST", "/api/roles", role)).status).toBe(201);
    }
    const run = await untilOver(hall, await spawnRun(hall, "ping", "Your turn"), 30_000);
    expect(run.status).toBe("completed");
    // Five of each, and the first.
    expect(await listRuns(hall)).toHaveLength(11);
    expect(run.result?.output).toContain("limits.spawnsAlike is 5");
  });

  it("may not give one role the same task again and again", async () => {
    const { results, runs } = await spawned({ spawnsAlike: 2 }, ["Look again", "look AGAIN!", "Look  again", "Other"]);
    expect(results).toEqual(["Yes.", "Yes.", expect.stringContaining("limits.spawnsAlike is 2"), "Yes."]);
    expect(runs).toHaveLength(4);
  });
});
