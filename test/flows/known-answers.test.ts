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

let scripted: ScriptedHall;
let hall: Hall;
const later = afterAllTests();
beforeAll(async () => {
  scripted = await scriptedHall(asTold, { later });
  hall = scripted.hall;
  await wanted(201, hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read"] }));
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
