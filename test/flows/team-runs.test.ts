import { describe, expect, it, onTestFinished } from "vitest";
import type { HandInOrder } from "../../src/contract/runs/hand-in.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import type { TeamRunOrder } from "../../src/runs/plan/team-runs.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { repository } from "../harness/repository.ts";
import { openReviewing } from "../harness/reviewing-hall.ts";
import { KEY, scriptedConfig } from "../harness/scripted-hall.ts";
import { type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { furnish } from "../harness/spawned-runs.ts";
import { waitFor } from "../harness/wait-for.ts";

const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };
const BRANCH = "guildhall/team-t1";
const SPEC = {
  title: "Closing time",
  requirements: [{ id: "REQ-001", text: "The shop must close at six.", acceptance: ["It is closed at 18:00."] }],
};
const PERSON = { actor: { kind: "person" as const, id: "you", via: "http" as const } };

const calls = (name: string, input: object): Turn => ({ calls: [{ name, input }] });

/** The floors of a hall whose project has a repository, two tasks, and reviews by a person. */
async function stage(script: (request: SeenRequest) => Turn) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const repo = repository({ "a.txt": "a\n" });
  const workspace = `${temporaryFolder()}/workspace`;
  const hall = await startHall(workspace, { env, config: scriptedConfig(provider, { models: { default: "own/m" } }) });
  await furnish(hall, {});
  await hall.call("PUT", "/api/projects/shop", {
    workdir: repo.root,
    config: { constraints: { requireReview: true } },
  });
  for (const title of ["Close the shop at six", "Write the hours down"])
    await hall.call("POST", "/api/projects/shop/tasks", { title });
  await hall.stop();
  const floors = await openReviewing(workspace, env);
  onTestFinished(() => floors.close());
  const order = (runId: string, of: object): TeamRunOrder =>
    ({
      ...{ runId, projectId: "shop", taskId: "TASK-001", team: { id: "t1", member: "lead-oslo" } },
      ...{ rank: "lead", roleId: "team-lead", prompt: "Goal: close the shop at six.", ...of },
    }) as TeamRunOrder;
  const over = async (runId: string) => {
    await waitFor(() => expect(isOver(floors.runOf(runId) ?? { status: "pending" })).toBe(true));
    return floors.desk.get(runId);
  };
  return { ...floors, repo, provider, order, over };
}

const lead = (handIn: HandInOrder) => ({ lead: { handIn, at: BRANCH } });

describe("a run of a team", { timeout: 120_000 }, () => {
  it("[S1-ROLE-02] [S1-ORC-05] leads read-only, and ends with what it handed in", async () => {
    const { teamRuns, order, over, provider, desk, tasks, repo } = await stage(({ turns }) => {
      if (turns === 0) return { text: "The spec: the shop closes at six." };
      return calls("submit_spec", turns === 1 ? { ...SPEC, title: "" } : SPEC);
    });
    const { commit } = await teamRuns.ensureBranch("shop", BRANCH, "main");
    expect(commit).toBe(repo.git("rev-parse", "main"));
    expect(await teamRuns.ensureBranch("shop", BRANCH, "main")).toEqual({ commit });
    const asked = order("run-lead-1", lead({ kind: "spec", mode: "auto" }));
    const [first, again] = await Promise.all([teamRuns.start(asked), teamRuns.start(asked)]);
    expect(again.id).toBe(first.id);
    const run = await over("run-lead-1");
    expect(run).toMatchObject({
      ...{ status: "completed", purpose: "lead", rank: "lead", roleId: "team-lead" },
      ...{ team: { id: "t1", member: "lead-oslo" }, result: { output: "Spec: Closing time (1 requirement)" } },
    });
    expect(run.result?.handIn).toMatchObject({ kind: "spec", spec: { requirements: [{ id: "REQ-001" }] } });
    expect(run.delivery).toBeUndefined();
    const [asks, , fixes] = provider.requests;
    expect(asks?.tools.sort()).toEqual(["list", "read", "search", "submit_spec"]);
    expect(asks?.text).toContain("Goal: close the shop at six.");
    expect(fixes?.results.at(-1)?.output).toContain("title: must not be empty");
    expect(provider.requests).toHaveLength(3);
    expect((await tasks.get("shop", "TASK-001")).status).toBe("pending");
    await expect(desk.retry("run-lead-1", PERSON)).rejects.toThrow("belongs to team 't1', which retries automatically");
  });

  it("fails when it ends without handing anything in", async () => {
    const { teamRuns, order, over } = await stage(() => ({ text: "I would rather not." }));
    await teamRuns.start(order("run-lead-1", { lead: { handIn: { kind: "report" } } }));
    expect(await over("run-lead-1")).toMatchObject({
      ...{ status: "failed", cause: "nothing_submitted", error: "The agent ended without calling submit_report." },
    });
  });

  it("[S1-ORC-06] works off the team's branch and into it, until what the team delivers is approved", async () => {
    const { teamRuns, order, over, provider, desk, tasks, repo } = await stage(({ turns, tools }) => {
      if (tools.includes("submit_report")) return calls("submit_report", { summary: "The shop closes at six." });
      if (turns === 0) return calls("write", { path: "hours.txt", content: "10 to 6\n" });
      return turns === 1 ? calls("report", { summary: "Written.", outcome: "full" }) : { text: "Done." };
    });
    await teamRuns.ensureBranch("shop", BRANCH, "main");
    const member = { taskId: "TASK-002", rank: "worker", roleId: "backend-implementer", work: { target: BRANCH } };
    await teamRuns.start(order("run-work-1", member));
    expect(await over("run-work-1")).toMatchObject({
      ...{ status: "completed", purpose: "work", rank: "worker" },
      delivery: { kind: "branch", target: BRANCH, state: "delivered" },
    });
    expect((await tasks.get("shop", "TASK-002")).status).toBe("done");
    expect(repo.committed(BRANCH, "hours.txt")).toBe("10 to 6");
    expect(repo.exists("hours.txt")).toBe(false);
    expect(provider.requests[0]?.text).toContain("Write the failing test first");

    const deliver = { handIn: { kind: "report" }, branch: BRANCH, target: "main" };
    await teamRuns.start(order("run-lead-2", { deliver }));
    const waiting = await over("run-lead-2");
    expect(waiting).toMatchObject({
      ...{ purpose: "lead", status: "completed", result: { handIn: { kind: "report" } } },
      delivery: { kind: "branch", name: BRANCH, target: "main", state: "review", reasonCode: "required", files: 1 },
    });
    expect(provider.requests.at(-1)?.tools).not.toContain("write");
    const { hash } = await desk.review.diff("run-lead-2");
    await desk.review.approve("run-lead-2", { hash }, PERSON);
    expect(repo.text("hours.txt")).toBe("10 to 6\n");
    expect(repo.branches()).toEqual(["main"]);
  });

  it("gives a delivery that a person sends back to its team, and starts no run", async () => {
    const { teamRuns, order, over, desk, runs, repo } = await stage(() => calls("submit_report", { summary: "Done." }));
    await teamRuns.ensureBranch("shop", BRANCH, "main");
    repo.git(
      "update-ref",
      `refs/heads/${BRANCH}`,
      repo.git("commit-tree", repo.git("hash-object", "-t", "tree", "-w", "/dev/null"), "-p", "main", "-m", "Empty"),
    );
    await teamRuns.start(
      order("run-lead-1", { deliver: { handIn: { kind: "report" }, branch: BRANCH, target: "main" } }),
    );
    await over("run-lead-1");
    const comments = [{ file: "a.txt", line: 1, text: "Keep it." }];
    await desk.review.reject("run-lead-1", { feedback: "Not yet.", comments }, PERSON);
    expect(desk.get("run-lead-1").delivery).toMatchObject({ state: "rejected" });
    expect(runs()).toHaveLength(1);
    expect(repo.branches()).toContain(BRANCH);
  });
});
