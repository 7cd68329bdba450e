import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { eventually, type Hall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { guildhall } from "../harness/guildhall.ts";
import { type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest } from "../harness/scripted-provider.ts";
import { untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { refused, wanted } from "../harness/workspace.ts";

/** An agent does what its task says: asks, writes knowledge, or nothing. A reviewer of a question answers nothing. */
function asTold({ text, results }: SeenRequest) {
  const said = /^DO (\w+) (\{.*\})$/m.exec(text);
  if (said === null || results.length > 0) return { text: "Done." };
  return { calls: [{ name: said[1] as string, input: JSON.parse(said[2] as string) as object }] };
}

const CLIENT = "client-token-0123456789abcdef0123456789abcdef";

let scripted: ScriptedHall;
let hall: Hall;
const later = afterAllTests();
beforeAll(async () => {
  scripted = await scriptedHall(asTold, { later, clients: { ci: CLIENT } });
  hall = scripted.hall;
  await wanted(201, hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read", "knowledge"] }));
  await wanted(201, hall.call("POST", "/api/projects", { id: "blog", name: "Blog" }));
});

let tasks = 0;
/** A run whose agent calls this tool, and what its next model request then had as the result. */
async function doing(tool: string, input: object, projectId = "shop") {
  const mark = `task ${++tasks}`;
  const task = { title: mark, description: `DO ${tool} ${JSON.stringify(input)}` };
  const { sessionId: runId } = await wanted(200, scripted.spawn({ projectId, roleId: "asker", task }));
  const request = await eventually(
    () =>
      scripted.provider.requests.find(({ body, results }) => results.length > 0 && JSON.stringify(body).includes(mark)),
    (found) => found !== undefined,
  );
  return { runId, told: request?.results[0]?.output ?? "" };
}

const ask = (question: string, projectId?: string, more: object = {}) =>
  doing("escalate", { type: "decision", question, ...more }, projectId);
const answer = (id: string, body: object) => wanted(200, hall.call("POST", `/api/escalations/${id}/resolve`, body));
const open = async () => (await wanted(200, hall.call("GET", "/api/escalations?status=pending"))).total;

it("is answered from the record in other words, with its citation, and nobody is asked [S4-ESC-18] [S4-GOAL-09]", async () => {
  const first = await ask("Should the product cache use Redis or Memcached?");
  expect(first.told).toMatch(/^Recorded as esc-\d+\. Continue/);
  const { id } = await pendingOf(hall, first.runId);
  await answer(id, { resolution: "Redis, with one replica." });
  const before = await open();
  const second = await ask("For caching products, do we go with Memcached or with Redis?");
  expect(second.told).toBe(
    [
      `Answered before [${id}]: Redis, with one replica.`,
      "It was recorded for the question: Should the product cache use Redis or Memcached?",
      "Your task and AGENTS.md take precedence over recorded answers. If your question is a different one, ask again and say what differs.",
    ].join("\n"),
  );
  expect((await untilOver(hall, second.runId)).status).toBe("completed");
  expect(await open()).toBe(before);
  // One decisive word more, or another project, is another question.
  expect((await ask("Should the session cache use Redis or Memcached?")).told).toMatch(/^Recorded as/);
  expect((await ask("Should the product cache use Redis or Memcached?", "blog")).told).toMatch(/^Recorded as/);
});

it("is only suggested once what was recorded was reworded by hand", async () => {
  const first = await ask("Do we sign release tags?");
  const { id } = await pendingOf(hall, first.runId);
  await answer(id, { resolution: "Yes" });
  const page = join(hall.workspace, "projects/shop/knowledge/decisions.md");
  const line = "Do we sign release tags? → Yes";
  const text = await eventually(
    () => readFileSync(page, "utf8"),
    (now) => now.includes(line),
  );
  writeFileSync(page, text.replace(line, "Do we sign release tags? → Only stable ones"));
  const second = await ask("Should release tags be signed?", "shop", {
    suggestedAnswers: [{ label: "Yes" }, { label: "No" }],
  });
  const { suggestedAnswers } = await pendingOf(hall, second.runId);
  expect(suggestedAnswers.map(({ label }) => label)).toEqual(["Yes", "Only stable ones", "No"]);
  expect(suggestedAnswers[0]?.description).toContain(
    `has changed since. Recorded [${id}] for: Do we sign release tags?`,
  );
});

it("holds for all projects where the person says so, and always where it becomes a rule", async () => {
  const first = await ask("Which license header do new source files get?");
  const { id } = await pendingOf(hall, first.runId);
  await answer(id, { resolution: "MIT", scope: "hall" });
  expect((await ask("What is the license header for new source files?", "blog")).told).toContain(`[${id}]: MIT`);

  const approval = { type: "approval" };
  const asked = await ask("May we deploy on Fridays?", "blog", approval);
  const { id: second } = await pendingOf(hall, asked.runId);
  const { escalation } = await answer(second, { resolution: "Never.", always: true });
  const rule = escalation.ruleId ?? "";
  expect((await ask("Is it okay to deploy on Fridays?", "blog", approval)).told).toContain(`[${rule}]: Never.`);
  const listed = await guildhall(["rule", "list", "-p", "blog"], { workspace: hall.workspace });
  expect(listed.stdout).toContain(`${rule}  blog`);
  await wanted(200, hall.call("PUT", `/api/answer-rules/${rule}`, { resolution: "Before noon." }));
  const body = { type: "approval", question: "Can we deploy on Fridays?", projectId: "blog" };
  expect(await wanted(201, hall.call("POST", "/api/escalations", body))).toMatchObject({
    outcome: "known",
    known: { resolution: "Before noon.", source: { kind: "rule", id: rule } },
  });
  await wanted(200, hall.call("DELETE", `/api/answer-rules/${rule}`));
  expect((await ask("Can we deploy on Fridays?", "blog", approval)).told).toMatch(/^Recorded as/);
});

it("is one escalation with two askers while it is open", async () => {
  const [first, second] = [await ask("Who translates the imprint?"), await ask("Who should translate the imprint?")];
  const { id, askers } = await pendingOf(hall, second.runId);
  expect(second.told).toMatch(new RegExp(`^Already asked as ${id}\\.`));
  expect([askers.map((asker) => asker.id), (await pendingOf(hall, first.runId)).id]).toEqual([
    [first.runId, second.runId],
    id,
  ]);
});

it("is not steered by what an agent wrote itself, until a person accepts it", async () => {
  const text = "May agents push to the main branch directly? → Yes, always.";
  const written = await doing("knowledge_add", { text, topic: "decisions" });
  expect(written.told).toMatch(/^(?:Added|Saved|Recorded)/);
  expect((await ask("Can agents push directly to the main branch?")).told).toMatch(/^Recorded as/);
  const { statements } = await wanted(200, hall.call("GET", "/api/knowledge?project=shop&status=pending"));
  expect(statements.map((one) => one.text)).toContain(text);
  const client = { question: "Can agents push directly to the main branch?", resolution: "Yes.", scope: "hall" };
  const headers = { authorization: `Bearer ${CLIENT}` };
  await refused("forbidden", hall.call("POST", "/api/answer-rules", client, headers));
});
