import { HallError } from "../../contract/errors.ts";
import type { Run } from "../../contract/run.ts";
import type { Client } from "../client.ts";
import type { DemoStage } from "./demo-stage.ts";
import type { Tell } from "./demo-step.ts";
import { DEMO_PROJECT, DEMO_TASKS, type DemoTaskName } from "./demo-tasks.ts";
import { RunWatch } from "./run-watch.ts";

/** The runs that the demo itself started, and all there were, children too. */
export interface DemoRuns extends Record<DemoTaskName, Run> {
  all: Run[];
}

/**
 * Has the work done. First the bug and the README side by side, whose results are merged at once; then, with review asked
 * for, the feature, by a lead who hands it out, and beside it a task that cannot be done.
 */
export async function playDemo(client: Client, stage: DemoStage, tell: Tell): Promise<DemoRuns> {
  const watch = new RunWatch(client, tell);
  await watch.open(DEMO_PROJECT);
  const play = async (name: DemoTaskName) => watch.over(await spawn(client, stage, name));
  const [fix, docs] = await Promise.all([play("fix"), play("docs")]);
  await tickCriteria(client, [stage.fix, stage.docs]);
  await client.call("updateProject", {
    params: { id: DEMO_PROJECT },
    body: { config: { constraints: { requireReview: true } } },
  });
  tell({ step: "rule", requireReview: true });
  const [feature, prices] = await Promise.all([play("feature"), play("prices")]);
  return { fix, docs, feature, prices, all: await watch.all() };
}

async function spawn(client: Client, stage: DemoStage, name: DemoTaskName): Promise<string> {
  const { roleId } = DEMO_TASKS[name];
  const answer = await client.call("spawn", { body: { projectId: DEMO_PROJECT, roleId, taskId: stage[name] } });
  if ("plan" in answer) throw new HallError("internal", "The hall only planned what it was asked to do.");
  return answer.sessionId;
}

/** As a person does who has looked at what was done. */
async function tickCriteria(client: Client, taskIds: readonly string[]): Promise<void> {
  for (const taskId of taskIds) {
    const params = { id: DEMO_PROJECT, taskId };
    const { task } = await client.call("getTask", { params });
    if (task.status !== "done") continue;
    const acceptanceCriteria = task.acceptanceCriteria.map(({ text }) => ({ text, done: true }));
    await client.call("updateTask", { params, body: { acceptanceCriteria } });
  }
}
