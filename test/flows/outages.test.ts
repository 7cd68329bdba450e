import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { makeShop } from "../harness/scripted-hall.ts";
import { type ScriptedProvider, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { journalOf, runOf, untilOver } from "../harness/spawned-runs.ts";

const RUNS_EACH = 3;
const done = { text: "Done.", usage: { input: 100, output: 10 } } satisfies Turn;

/** How a provider is away. */
const AWAY: Record<string, Turn | "shut"> = {
  refused: "shut",
  reset: { cutAfterBytes: 0 },
  half: { text: "Half of an answer, and then nothing of it that is of any use", cutAfterBytes: 700 },
  silent: { hang: true },
  error: { status: 500, error: { message: "Internal error" } },
  gateway: { status: 502, body: "<html>Bad gateway</html>" },
  late: { status: 504, body: "" },
};
const NAMES = Object.keys(AWAY);

interface Outages {
  hall: Hall;
  providers: Map<string, ScriptedProvider>;
  spawn: (name: string, title?: string) => Promise<string>;
}

/** A hall with a provider for each kind of outage; `script` says what one answers. */
async function hallWith(names: string[], script: (name: string, title: string) => Turn): Promise<Outages> {
  const providers = new Map<string, ScriptedProvider>();
  for (const name of names) {
    const provider = await startProvider(({ text }) => script(name, text));
    onTestFinished(() => provider.close());
    providers.set(name, provider);
  }
  const config = {
    providers: Object.fromEntries(
      [...providers].map(([name, { url }]) => [
        name,
        { kind: "openai-compatible", baseUrl: `${url}/v1`, silenceSeconds: 1 },
      ]),
    ),
    models: { default: `${names[0]}/m` },
    limits: { runs: 100, runsPerProject: 100, modelCalls: 20 },
  };
  const hall = await startHall(undefined, { config, env: { OLLAMA_HOST: NOBODY } });
  await makeShop(hall);
  const spawn = async (name: string, title = "Look around") => {
    const overrides = { model: `${name}/m`, skills: ["read"] };
    const body = { projectId: "shop", roleId: "coder", task: { title }, overrides };
    return (await hall.call("POST", "/api/team/spawn", body)).body.sessionId as string;
  };
  return { hall, providers, spawn };
}

describe("a provider that cannot be reached or does not answer", () => {
  it("fails no run: all wait, one at a time asks, and all go on when it is back", { timeout: 60_000 }, async () => {
    let isAway = true;
    const { hall, providers, spawn } = await hallWith(NAMES, (name) => {
      const away = AWAY[name];
      return isAway && away !== undefined && away !== "shut" ? away : done;
    });
    await providers.get("refused")?.shut();
    const runs: { name: string; id: string }[] = [];
    for (const name of NAMES) for (let n = 0; n < RUNS_EACH; n++) runs.push({ name, id: await spawn(name) });
    const all = () => Promise.all(runs.map(({ id }) => runOf(hall, id)));
    const isWaiting = ({ waitingFor }: Run) => waitingFor === "network";
    for (const run of await eventually(all, (found: Run[]) => found.every(isWaiting)))
      expect(run).toMatchObject({
        status: "running",
        waitingSince: expect.stringMatching(/^\d{4}-/),
        activity: { for: "network", detail: expect.stringMatching(/^'\w+' is not responding/) },
      });
    const { body: now } = await hall.call("GET", "/api/now");
    const waiting = now.needsMe.filter(({ kind }: { kind: string }) => kind === "waiting");
    // The one that asks at this moment does not wait.
    expect(waiting.length).toBeGreaterThanOrEqual(runs.length - NAMES.length);
    expect(waiting[0]).toMatchObject({
      detail: expect.stringMatching(/^Waiting for the network/),
      run: { waitingFor: "network", waitingSince: expect.any(String) },
    });
    // Each run has its own tries at first; from then on one at a time asks.
    for (const [name, { requests }] of providers)
      expect([name, requests.length]).toEqual([name, expect.toSatisfy((count) => count <= RUNS_EACH * 4 + 3)]);
    isAway = false;
    await providers.get("refused")?.reopen();
    for (const { name, id } of runs) {
      const run = await untilOver(hall, id);
      expect([name, run.status, run.attempt, run.error]).toEqual([name, "completed", 1, undefined]);
      expect([name, run.usage.turns]).toEqual([name, 1]);
      const types = journalOf(hall.workspace, id).map(({ type }) => type);
      expect([name, types.includes("waiting"), types.includes("resumed")]).toEqual([name, true, true]);
    }
    expect((await hall.call("GET", "/api/budget")).body).toMatchObject({ waiting: [], paused: [] });
  });

  it("can be waited for by a run that is cancelled", async () => {
    const { hall, providers, spawn } = await hallWith(["refused"], () => done);
    await providers.get("refused")?.shut();
    const id = await spawn("refused");
    await eventually(
      () => runOf(hall, id),
      ({ waitingFor }: Run) => waitingFor === "network",
    );
    expect((await hall.call("POST", `/api/runs/${id}/stop`, {})).status).toBe(200);
    expect((await untilOver(hall, id)).status).toBe("cancelled");
  });
});

describe("a call that its provider cannot answer while it answers others", () => {
  it("fails after a bounded number of tries, and holds nobody up for long", { timeout: 60_000 }, async () => {
    const { hall, providers, spawn } = await hallWith(["own"], (_, text) =>
      text.includes("POISON") ? { status: 500, error: { message: "Cannot compute" } } : done,
    );
    const poisoned = await spawn("own", "POISON");
    let asked = 0;
    const others: string[] = [];
    while ((await runOf(hall, poisoned)).status !== "failed") {
      const id = await spawn("own", `Work ${asked++}`);
      others.push(id);
      await untilOver(hall, id);
      expect(asked).toBeLessThan(500);
    }
    for (const id of others) expect((await runOf(hall, id)).status).toBe("completed");
    expect(await runOf(hall, poisoned)).toMatchObject({ error: expect.stringContaining("Cannot compute") });
    const tries = providers.get("own")?.requests.filter(({ text }) => text.includes("POISON"));
    expect(tries?.length).toBeLessThanOrEqual(16);
  });

  it("fails where the provider says that it is wrong, or answers with nonsense again and again", async () => {
    const { hall, providers, spawn } = await hallWith(["own"], (_, text) => {
      const status = /STATUS-(\d+)/.exec(text)?.[1];
      return status === undefined ? { garbage: "<html>Welcome to the hotel</html>" } : { status: Number(status) };
    });
    const ids = new Map<string, string>();
    for (const kind of ["STATUS-400", "STATUS-401", "STATUS-403", "STATUS-404", "GARBAGE"])
      ids.set(kind, await spawn("own", kind));
    for (const [kind, id] of ids) expect([kind, (await untilOver(hall, id)).status]).toEqual([kind, "failed"]);
    expect(providers.get("own")?.requests).toHaveLength(4 + 4);
  });
});
