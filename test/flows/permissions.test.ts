import { beforeAll, describe, expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { entriesOf, furnish, journalOf, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

/** Adds a line to a file whenever it runs, so that it can be seen how often it did. */
const execs = (command: string) => `
turns:
  - calls: [{tool: exec, input: {command: ${JSON.stringify(command)}}}]
  - text: "{{last.exec}}"
`;
const LINE = "echo ran >> ran.txt";

let hall: Hall;
const later = afterAllTests();

beforeAll(async () => {
  hall = await furnish(await startHall(undefined, { later }), { line: execs(LINE) });
  const role = { id: "asker", name: "Asker", skills: ["read", "write", "exec"], ask: ["exec"] };
  expect((await hall.call("POST", "/api/roles", role)).status).toBe(201);
});

const spawn = (playbook: string, more: object = {}) => spawnRun(hall, playbook, "Do it", { roleId: "asker", ...more });
const resolve = (id: string, body: object) => hall.call("POST", `/api/escalations/${id}/resolve`, body);
const resultsOf = (id: string) => entriesOf(journalOf(hall.workspace, id), "result").map(({ output }) => output);

async function waiting(playbook: string, more: object = {}) {
  const id = await spawn(playbook, more);
  const asked = await pendingOf(hall, id);
  const run = await eventually(
    () => runOf(hall, id),
    (found) => found.waitingFor === "answer",
  );
  return { id, asked, run };
}

describe("a call of a tool that needs consent", () => {
  it("waits without a process, and is carried out once when it is allowed once", async () => {
    const { id, asked, run } = await waiting("line");
    expect(asked).toMatchObject({
      ...{ type: "approval", origin: "permission", status: "pending", question: `Run ${LINE}?` },
      permission: { runId: id, roleId: "asker", tool: "exec", rule: { tool: "exec", commands: [LINE] } },
      askers: [{ kind: "run", id, waits: true }],
    });
    expect(asked.suggestedAnswers.map(({ label }) => label)).toEqual(["once", "run", "hour", "always", "no"]);
    expect(asked.context).toContain(LINE);
    expect(run.activity).toMatchObject({ kind: "waiting", for: "answer", detail: `Run ${LINE}?` });
    expect(resultsOf(id)).toEqual([]);
    const answered = await resolve(asked.id, { answer: "once", resolution: "Only this time." });
    expect([answered.status, answered.body.escalation]).toMatchObject([200, { answer: "once", outcome: "answered" }]);
    const done = await untilOver(hall, id);
    expect([done.status, done.error]).toEqual(["completed", undefined]);
    expect(resultsOf(id)).toEqual([expect.stringMatching(/^Exit code 0[\s\S]*Only this time\.$/)]);
    const again = await resolve(asked.id, { answer: "no" });
    expect([again.status, again.body.error?.code]).toEqual([409, "escalation_resolved"]);
  });

  it("is refused with the person's words, and not carried out", async () => {
    const { id, asked } = await waiting("line");
    expect((await resolve(asked.id, { answer: "no", resolution: "Use a script." })).status).toBe(200);
    expect((await untilOver(hall, id)).status).toBe("completed");
    expect(resultsOf(id)).toEqual([expect.stringMatching(/^The person refused this call \(esc-\d+\)\. Use a script\./)]);
  });
});
