import type { Client } from "../http/client.ts";
import { commitsOf, type DemoPlaces, FIRST_COMMITS } from "./demo-folder.ts";
import type { DemoStage } from "./demo-stage.ts";
import { DEMO_PROJECT } from "./demo-tasks.ts";
import type { DemoRuns } from "./play-demo.ts";
import type { TestCount } from "./test-count.ts";

interface Played {
  client: Client;
  places: Pick<DemoPlaces, "repository">;
  stage: DemoStage;
  runs: DemoRuns;
  tests: { before: TestCount; after: TestCount };
}

/** What did not come out as promised, in words; empty when all did. */
export async function brokenPromises({ client, places, stage, runs, tests }: Played): Promise<string[]> {
  const broken: string[] = [];
  const promise = (kept: boolean, otherwise: string) => {
    if (!kept) broken.push(otherwise);
  };
  promise(tests.before.failed > 0, "no test failed before the fix");
  promise(tests.after.failed === 0, `${tests.after.failed} tests still fail`);
  promise(tests.after.passed >= tests.before.passed + tests.before.failed, "tests were removed");
  broken.push(...(await teamFaults(client, runs)));
  promise(commitsOf(places.repository).length > FIRST_COMMITS.length, "the repository has no new commits");
  const { feature } = runs;
  promise(
    feature.status === "completed" && feature.delivery?.state === "review",
    `"${feature.title}" is not in review: ${feature.status} ${feature.error ?? feature.delivery?.state ?? ""}`,
  );
  const { files } = await client.call("getRunDiff", { params: { runId: feature.id } });
  promise(
    files.some(({ path }) => path === "src/shipping.js"),
    "the diff in review does not contain src/shipping.js",
  );
  const helpers = runs.all.filter(({ parentRunId }) => parentRunId === feature.id);
  promise(
    helpers.filter(({ status }) => status === "completed").length === 2,
    "the lead's two subagents did not complete",
  );
  promise(runs.prices.status === "failed", `"${runs.prices.title}" should have failed but is ${runs.prices.status}`);
  return [...broken, ...(await boardFaults(client, stage))];
}

async function teamFaults(client: Client, { team, tasks }: DemoRuns): Promise<string[]> {
  if (team.status !== "completed") return [`the team is ${team.status}: ${team.reason ?? "no reason given"}`];
  const { met, total } = team.requirements;
  const unmet = met === total && total > 0 ? [] : [`only ${met} of ${total} requirements are met`];
  const open = tasks.filter(({ state }) => state !== "merged").map(({ key, state }) => `team task ${key} is ${state}`);
  const task = tasks.find(({ key }) => key === "discount")?.taskId;
  const { gates } = await client.call("listGates", { params: { id: DEMO_PROJECT }, query: { task } });
  const verdicts = gates.map(({ verdict }) => verdict).reverse();
  // With what others merged meanwhile, a result that passed is judged again.
  const isAsPlayed = verdicts[0] === "fail" && verdicts.length > 1 && verdicts.slice(1).every((one) => one === "pass");
  const judged = isAsPlayed ? [] : [`the gates of the fix came to ${verdicts.join(", ") || "nothing"}`];
  return [...unmet, ...open, ...judged];
}

async function boardFaults(client: Client, stage: DemoStage): Promise<string[]> {
  const { tasks } = await client.call("listTasks", { params: { id: DEMO_PROJECT } });
  const wanted = { feature: "review", prices: "failed" } as const;
  return Object.entries(wanted).flatMap(([name, status]) => {
    const task = tasks.find(({ id }) => id === stage[name as keyof typeof wanted]);
    return task?.status === status ? [] : [`task ${task?.id ?? name} is ${task?.status ?? "missing"}, not ${status}`];
  });
}
