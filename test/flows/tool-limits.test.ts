import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { startHall } from "../harness/daemon.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const call = (path: string) => `{calls: [{tool: list, input: {path: "${path}"}}]}`;
const greedy = `turns: [${call(".")}, ${call("TASKS")}, ${call("plans")}, {text: Done.}]\n`;

it("a project limits the tool calls of its runs beside its tokens; the agent reads why, and the run ends [S3-FUT-05]", async () => {
  const hall = await furnish(await startHall(), { greedy });
  const edited = await commandLine(["project", "edit", PROJECT, "--max-tool-calls", "2"], hall);
  expect(edited.stdout).toContain(`Updated project ${PROJECT}.`);
  const budget = { dayTokens: 1_000_000 };
  const { body } = await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { budget } });
  expect(body.project.config).toMatchObject({ budget, constraints: { maxToolCallsPerRun: 2 } });
  const id = await spawnRun(hall, "greedy", "Look everywhere");
  expect((await untilOver(hall, id)).status).toBe("completed");
  const transcript = JSON.stringify((await hall.call("GET", `/api/runs/${id}/transcript`)).body);
  expect(transcript.match(/tool_calls_used_up: This run made 2 tool calls/g)).toHaveLength(1);
  const shown = await commandLine(["project", "show", PROJECT], hall);
  expect(shown.stdout).toMatch(/max tool calls +2/);
});
