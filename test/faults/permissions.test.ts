import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { projectProcesses } from "../harness/processes.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { entriesOf, furnish, journalOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 2);
const LONGEST_MS = 400;

/** Adds its mark to a file, so that it can be seen how often it ran, and takes a moment. */
const command = (mark: string) => `echo ${mark} >> CONTEXT/ran.txt; sleep 0.2`;
const playbook = (mark: string) =>
  JSON.stringify({ turns: [{ calls: [{ tool: "exec", input: { command: command(mark) } }] }, { text: "Done." }] });
const MARKS = [
  "waits",
  "answered",
  "refused",
  "allowed",
  "during",
  "revoked",
  ...Array.from({ length: CYCLES }, (_, at) => `c${at}`),
];

type Daemon = Awaited<ReturnType<typeof killableDaemon>>;

function place() {
  const workspace = join(temporaryFolder(), "workspace");
  const ran = join(workspace, "projects", PROJECT, "CONTEXT/ran.txt");
  const timesRun = (mark: string) =>
    existsSync(ran)
      ? readFileSync(ran, "utf8")
          .split("\n")
          .filter((line) => line === mark).length
      : 0;
  const states = (id: string) => entriesOf(journalOf(workspace, id), "permit").map(({ state }) => state);
  const outputs = (id: string) => entriesOf(journalOf(workspace, id), "result").map(({ output }) => output);
  return { workspace, timesRun, states, outputs };
}

async function first({ workspace }: { workspace: string }): Promise<Daemon> {
  const daemon = await killableDaemon(workspace);
  await furnish(daemon.hall, Object.fromEntries(MARKS.map((mark) => [mark, playbook(mark)])));
  const role = { id: "asker", name: "Asker", skills: ["exec"], ask: ["exec"] };
  expect((await daemon.hall.call("POST", "/api/roles", role)).status).toBe(201);
  return daemon;
}

async function waiting(hall: Hall, mark: string) {
  const id = await spawnRun(hall, mark, mark, { roleId: "asker" });
  const asked = await pendingOf(hall, id);
  await untilParked(hall, id);
  return { id, esc: asked.id };
}

const untilParked = (hall: Hall, id: string) =>
  eventually(
    () => runOf(hall, id),
    (run) => run.waitingFor === "answer",
  );
const resolve = (hall: Hall, esc: string, body: object) => hall.call("POST", `/api/escalations/${esc}/resolve`, body);

describe("kill -9 around a call that needs consent", { timeout: 120_000 }, () => {
  it("while it waits, right after each answer, before the call and during it: it runs at most once, with consent only", async () => {
    const at = place();
    let daemon = await first(at);
    const restart = async () => {
      await daemon.kill();
      daemon = await killableDaemon(at.workspace);
    };

    // While it waits: one request, no process, and no call without an answer.
    const one = await waiting(daemon.hall, "waits");
    await restart();
    await untilParked(daemon.hall, one.id);
    expect([at.timesRun("waits"), projectProcesses(at.workspace)]).toEqual([0, []]);
    expect((await daemon.hall.call("GET", "/api/escalations?status=pending")).body.total).toBe(1);
    expect((await resolve(daemon.hall, one.esc, { answer: "once" })).status).toBe(200);
    await untilOver(daemon.hall, one.id);
    expect([at.timesRun("waits"), at.outputs(one.id)]).toEqual([1, [expect.stringContaining("Exit code 0")]]);

    // Right after the answer that allows it.
    const two = await waiting(daemon.hall, "answered");
    expect((await resolve(daemon.hall, two.esc, { answer: "once" })).status).toBe(200);
    await restart();
    await untilOver(daemon.hall, two.id);
    expect(at.timesRun("answered")).toBe(
      at.outputs(two.id)[0]?.startsWith("Exit code 0") ? 1 : at.timesRun("answered"),
    );
    expect(at.timesRun("answered")).toBeLessThanOrEqual(1);

    // Right after the answer that refuses it.
    const three = await waiting(daemon.hall, "refused");
    expect((await resolve(daemon.hall, three.esc, { answer: "no", resolution: "Never." })).status).toBe(200);
    await restart();
    await untilOver(daemon.hall, three.id);
    expect([at.timesRun("refused"), at.outputs(three.id)]).toEqual([0, [expect.stringContaining("Never.")]]);

    // When it was allowed, and the call may have begun.
    const four = await waiting(daemon.hall, "allowed");
    expect((await resolve(daemon.hall, four.esc, { answer: "run" })).status).toBe(200);
    await eventually(
      () => at.states(four.id),
      (states) => states.includes("allowed"),
      20_000,
    );
    await restart();
    await untilOver(daemon.hall, four.id);
    expect(at.timesRun("allowed")).toBeLessThanOrEqual(1);
    expect(at.outputs(four.id)).toHaveLength(1);

    // In the middle of the call.
    const five = await waiting(daemon.hall, "during");
    expect((await resolve(daemon.hall, five.esc, { answer: "always" })).status).toBe(200);
    await eventually(
      () => at.timesRun("during"),
      (times) => times === 1,
    );
    await restart();
    await untilOver(daemon.hall, five.id);
    expect([at.timesRun("during"), at.outputs(five.id)]).toEqual([1, [expect.any(String)]]);
    const { grants } = (await daemon.hall.call("GET", "/api/grants?all=true")).body;
    expect(grants.map(({ from, scope, uses }) => [from, scope, uses])).toEqual([
      [five.esc, "always", 1],
      [four.esc, "run", 1],
      [two.esc, "once", 1],
      [one.esc, "once", 1],
    ]);
    await daemon.kill();
  });

  it(`at random moments (${CYCLES} kills)`, { timeout: 60_000 + CYCLES * 20_000 }, async () => {
    const at = place();
    const random = numbersFrom(Number(process.env.GUILDHALL_FAULT_SEED ?? 1));
    let daemon = await first(at);
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const mark = `c${cycle}`;
      const answer = ["once", "no", "run", "hour"][Math.floor(random() * 4)] ?? "once";
      const id = await spawnRun(daemon.hall, mark, mark, { roleId: "asker" });
      const { id: esc } = await pendingOf(daemon.hall, id);
      const moment = random() * LONGEST_MS;
      const answering = resolve(daemon.hall, esc, { answer }).catch(() => undefined);
      await Promise.race([answering, new Promise((done) => setTimeout(done, moment))]);
      await new Promise((done) => setTimeout(done, moment / 2));
      await daemon.kill();
      await answering;
      daemon = await killableDaemon(at.workspace);
      const { escalation } = (await daemon.hall.call("GET", `/api/escalations/${esc}`)).body;
      // An answer that was lost on its way is given again.
      if (escalation.status === "pending") expect((await resolve(daemon.hall, esc, { answer })).status).toBe(200);
      await untilOver(daemon.hall, id);
      const [output = ""] = at.outputs(id);
      expect([mark, answer, at.outputs(id).length]).toEqual([mark, answer, 1]);
      if (answer === "no")
        expect([mark, at.timesRun(mark), output]).toEqual([mark, 0, expect.stringContaining("refused")]);
      else
        expect([mark, at.timesRun(mark)]).toEqual([
          mark,
          output.startsWith("Exit code 0") ? 1 : expect.toBeOneOf([0, 1]),
        ]);
    }
    await daemon.kill();
  });
});
