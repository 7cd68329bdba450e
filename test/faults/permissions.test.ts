import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { untilNoProcess } from "../harness/processes.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { branchOf, entriesOf, journalOf, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 1);
const LONGEST_MS = 400;
/** Processes that have nothing to do end at once. */
const CONFIG = "limits: { runs: 2, runsPerProject: 2 }\nprojects: { parkAfterMinutes: 0.005 }\n";

/** Adds a line, so that it can be seen how often it ran, and takes a moment. */
const playbook = (command: string) =>
  JSON.stringify({ turns: [{ calls: [{ tool: "exec", input: { command } }] }, { text: "Done." }] });
const playbooks = {
  soon: playbook("echo ran >> ran.txt; sleep 0.1"),
  long: playbook("echo ran >> ran.txt; sleep 2"),
};

type Daemon = Awaited<ReturnType<typeof killableDaemon>>;

async function open() {
  const workspace = join(temporaryFolder(), "workspace");
  const repo = repository({ "a.txt": "a\n" });
  mkdirSync(workspace);
  writeFileSync(join(workspace, "config.yml"), CONFIG);
  const daemon: Daemon = await killableDaemon(workspace);
  // Each result stays on a branch of its own.
  await hallOver(daemon.hall, { root: repo.root, playbooks, config: { constraints: { requireReview: true } } });
  const role = { id: "asker", name: "Asker", skills: ["read", "write", "exec"], ask: ["exec"] };
  expect((await daemon.hall.call("POST", "/api/roles", role)).status).toBe(201);
  /** How often the command of a run that is over ran, and what its agent was told. */
  const endOf = async (hall: Hall, id: string) => {
    const run = await untilOver(hall, id);
    // The branch of a run that changed nothing is deleted.
    const { name: branch = "", files = 0 } = branchOf(run) ?? {};
    const text = files > 0 ? repo.git("show", `${branch}:ran.txt`) : "";
    const outputs = entriesOf(journalOf(workspace, id), "result").map(({ output }) => output);
    expect([run.status, run.error, outputs.length]).toEqual(["completed", undefined, 1]);
    return { times: text.split("\n").filter((line) => line === "ran").length, output: outputs[0] ?? "" };
  };
  const isAllowed = (id: string) =>
    entriesOf(journalOf(workspace, id), "permit").some(({ state }) => state === "allowed");
  return { workspace, daemon, endOf, isAllowed };
}

async function waiting(hall: Hall, name: keyof typeof playbooks) {
  const id = await spawnRun(hall, name, name, { roleId: "asker" });
  const { id: esc } = await pendingOf(hall, id);
  await untilParked(hall, id);
  return { id, esc };
}

const untilParked = (hall: Hall, id: string) =>
  eventually(
    () => runOf(hall, id),
    (run) => run.waitingFor === "answer",
  );
const resolve = (hall: Hall, esc: string, body: object) => hall.call("POST", `/api/escalations/${esc}/resolve`, body);

describe("kill -9 around a call that needs consent", { timeout: 120_000 }, () => {
  it("while it waits, right after an answer, when it was allowed and during it: it runs at most once, with consent only", async () => {
    const { workspace, daemon, endOf, isAllowed } = await open();
    const { hall } = daemon;
    const answer = async ({ esc }: { esc: string }, body: object) =>
      expect((await resolve(hall, esc, body)).status).toBe(200);
    const [waits, during, begun, answered, refused] = [
      ...[await waiting(hall, "soon"), await waiting(hall, "long"), await waiting(hall, "long")],
      ...[await waiting(hall, "soon"), await waiting(hall, "soon")],
    ] as const;
    // Five wait where two can work: they hold neither a place in the limits nor a process.
    await untilNoProcess(workspace);
    await answer(during, { answer: "run" });
    await eventually(
      async () => (await runOf(hall, during.id)).activity,
      (activity) => activity?.kind === "tool",
    );
    await answer(begun, { answer: "once" });
    await eventually(
      () => isAllowed(begun.id),
      (allowed) => allowed,
    );
    await answer(refused, { answer: "no", resolution: "Never." });
    await answer(answered, { answer: "once" });
    await daemon.kill();

    const second = await killableDaemon(workspace);
    await untilParked(second.hall, waits.id);
    const pending = (await second.hall.call("GET", "/api/escalations?status=pending")).body.escalations;
    expect(pending.map(({ id }) => id)).toEqual([waits.esc]);
    expect(await endOf(second.hall, refused.id)).toMatchObject({ times: 0, output: expect.stringContaining("Never.") });
    expect((await endOf(second.hall, during.id)).times).toBeLessThanOrEqual(1);
    expect((await endOf(second.hall, begun.id)).times).toBeLessThanOrEqual(1);
    const after = await endOf(second.hall, answered.id);
    expect(after.times).toBe(after.output.startsWith("Exit code 0") ? 1 : expect.toBeOneOf([0, 1]));
    expect((await resolve(second.hall, waits.esc, { answer: "once" })).status).toBe(200);
    expect((await endOf(second.hall, waits.id)).times).toBe(1);
    const { grants } = (await second.hall.call("GET", "/api/grants?all=true")).body;
    expect(grants.map(({ from, uses }) => [from, uses])).toEqual([
      [waits.esc, 1],
      [answered.esc, 1],
      [begun.esc, 1],
      [during.esc, 1],
    ]);
    await second.kill();
  });

  it(`at random moments (${CYCLES} kills)`, { timeout: 60_000 + CYCLES * 20_000 }, async () => {
    const { workspace, daemon: first, endOf } = await open();
    const random = numbersFrom(Number(process.env.GUILDHALL_FAULT_SEED ?? 1));
    let daemon = first;
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const answer = ["once", "no", "run", "hour"][Math.floor(random() * 4)] ?? "once";
      const id = await spawnRun(daemon.hall, "soon", `Cycle ${cycle}`, { roleId: "asker" });
      const { id: esc } = await pendingOf(daemon.hall, id);
      const answering = resolve(daemon.hall, esc, { answer }).catch(() => undefined);
      await new Promise((done) => setTimeout(done, random() * LONGEST_MS));
      await daemon.kill();
      await answering;
      daemon = await killableDaemon(workspace);
      const { escalation } = (await daemon.hall.call("GET", `/api/escalations/${esc}`)).body;
      // An answer that was lost on its way is given again.
      if (escalation.status === "pending") expect((await resolve(daemon.hall, esc, { answer })).status).toBe(200);
      const { times, output } = await endOf(daemon.hall, id);
      const wanted = output.startsWith("Exit code 0") ? [1] : [0, 1];
      expect([answer, times, output]).toEqual([answer, expect.toBeOneOf(answer === "no" ? [0] : wanted), output]);
      if (answer === "no") expect(output).toContain("refused this call");
      for (const grant of (await daemon.hall.call("GET", "/api/grants")).body.grants)
        expect((await daemon.hall.call("DELETE", `/api/grants/${grant.id}`)).status).toBe(200);
    }
    await daemon.kill();
  });
});
