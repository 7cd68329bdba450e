import { beforeAll, expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const playbooks = {
  play: writing({ "a.txt": "agent\n" }),
  slow: writing({ "b.txt": "agent\n" }, { delayMs: 1_000 }),
};

let hall: Hall;
const later = afterAllTests();
const repo = repository({ "a.txt": "a\n" }, "work", later);
beforeAll(async () => {
  const config = { constraints: { requireReview: true } };
  hall = await hallOver(await startHall(undefined, { later }), { root: repo.root, config, playbooks });
});

const taskOf = async (id: string) => (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${id}`)).body.task;
const statusOf = async (id: string) => (await taskOf(id)).status;
const ask = async (question: string, blocksTask: string) => {
  const body = { type: "question", question, projectId: PROJECT, blocksTask };
  return (await hall.call("POST", "/api/escalations", body)).body.escalation;
};
const answer = (id = "") => hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Blue" });
async function approve(id: string) {
  const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
  return (await hall.call("POST", `/api/runs/${id}/approve`, { hash })).status;
}

it("leaves no task behind that a question was to block while its result waits for review", async () => {
  const { id, taskId } = await untilOver(hall, await spawnRun(hall, "play", "Improve it"));
  await eventually(
    () => taskOf(taskId),
    ({ status }) => status === "review",
  );
  // Asked without blocking, and it says so.
  const asked = await ask("Which color?", taskId);
  expect(asked).toMatchObject({
    blocksTask: null,
    history: [{ action: "asked", reason: `${taskId} is in review, so it is not blocked.` }],
  });
  expect(await statusOf(taskId)).toBe("review");
  expect([await approve(id), repo.text("a.txt"), await statusOf(taskId)]).toEqual([...[200, "agent\n", "done"]]);
  await answer(asked?.id);
  expect(await statusOf(taskId)).toBe("done");
});

it("applies what was decided about the result of a task that a question blocked while its run was at work", async () => {
  const runs = [await spawnRun(hall, "slow", "Keep it"), await spawnRun(hall, "slow", "Drop it")];
  const { tasks } = (await hall.call("GET", `/api/projects/${PROJECT}/tasks`)).body;
  const [kept = "", dropped = ""] = runs.map((run) => tasks.find((task) => task.assignedSubAgentId === run)?.id);
  const asked = [await ask("Which font?", kept), await ask("How many pages?", dropped)];
  const detail = async () =>
    (await hall.call("GET", "/api/now")).body.needsMe.find(({ id }) => id === asked[0]?.id)?.detail;
  expect([await statusOf(kept), await detail()]).toEqual(["blocked", `${kept} is blocked until you answer.`]);
  for (const id of runs) await untilOver(hall, id);
  expect([await approve(runs[0] ?? ""), await statusOf(kept)]).toEqual([200, "done"]);
  expect(await detail()).toBe("Asked over the API.");
  expect((await hall.call("POST", `/api/runs/${runs[1]}/discard`, {})).status).toBe(200);
  expect(await statusOf(dropped)).toBe("blocked");
  for (const one of asked) await answer(one?.id);
  for (const task of [kept, dropped])
    await eventually(
      () => taskOf(task),
      ({ escalations }) => escalations === undefined,
    );
  expect([await statusOf(kept), await statusOf(dropped)]).toEqual(["done", "pending"]);
});
