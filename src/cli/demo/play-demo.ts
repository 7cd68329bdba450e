import type { Team, TeamTask } from "../../contract/documents/teams/team.ts";
import { HallError } from "../../contract/errors.ts";
import { HALL_MESSAGE } from "../../contract/runs/hall-message.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Live } from "../../contract/runs/live.ts";
import type { ToolCall } from "../../contract/runs/model-call.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { Client } from "../http/client.ts";
import { JournalTail } from "../runs/journal-tail.ts";
import type { DemoStage } from "./demo-stage.ts";
import type { Tell } from "./demo-step.ts";
import { DEMO_PROJECT, DEMO_TASKS, DEMO_TEAM, type DemoTaskName } from "./demo-tasks.ts";
import { testCountIn } from "./test-count.ts";

/** The team, the runs that the demo itself started, and all there were, children too. */
export interface DemoRuns extends Record<DemoTaskName, Run> {
  team: Team;
  tasks: TeamTask[];
  all: Run[];
}

interface Playing {
  client: Client;
  tell: Tell;
  /** Between two looks at something that is still coming. */
  pause: (ms: number) => Promise<void>;
}

/**
 * Has the work done. First by a team, whose plan is approved: the quality gate sends its fix back once, and its branch is merged
 * as a whole. Then, with review asked for instead, the feature, by a lead who hands it out, and beside it a task that cannot be
 * done.
 */
export async function playDemo(stage: DemoStage, playing: Playing): Promise<DemoRuns> {
  const { client, tell } = playing;
  const watch = new RunWatch(client, tell);
  await watch.open(DEMO_PROJECT);
  const play = async (name: DemoTaskName) => watch.over(await spawn(client, stage, name));
  const team = await playTeam(watch, playing);
  await client.call("updateProject", {
    params: { id: DEMO_PROJECT },
    body: { config: { constraints: { requireReview: true }, qualityGates: { appliesTo: "off" } } },
  });
  tell({ step: "rule", requireReview: true });
  const [feature, prices] = await Promise.all([play("feature"), play("prices")]);
  return { ...team, feature, prices, all: await watch.all() };
}

const LOOK_AGAIN_MS = 50;
/** By then a team has come to what is waited for. */
const MOST_LOOKS = 6_000;

/** A goal that becomes a spec, a plan, judged work and one merge. */
async function playTeam(watch: RunWatch, playing: Playing): Promise<Pick<DemoRuns, "team" | "tasks">> {
  const { client, tell } = playing;
  const begun = (await client.call("createTeam", { params: { id: DEMO_PROJECT }, body: DEMO_TEAM })).team;
  const params = { id: begun.id };
  tell({ step: "team", teamId: begun.id, goal: begun.goal });
  const asks = await teamWhen(({ status }) => status === "awaiting-approval", begun.id, playing);
  if (asks.status !== "awaiting-approval") return { team: asks, tasks: [] };
  const { plan } = await client.call("getTeamPlan", { params });
  await client.call("approvePlan", { params, body: {} });
  const requirements = asks.requirements.total;
  tell({ step: "approved", teamId: begun.id, tasks: plan.tasks.length, requirements });
  const team = await teamWhen(() => false, begun.id, playing);
  const { tasks } = await client.call("listTeamTasks", { params });
  for (const runId of tasks.flatMap(({ runIds }) => runIds.slice(-1))) {
    watch.tellGate((await client.call("getRun", { params: { runId } })).run);
  }
  if (team.status === "completed")
    tell({ step: "delivered", teamId: team.id, met: team.requirements.met, requirements });
  return { team, tasks };
}

/** The team when it is as wanted, or has ended. */
async function teamWhen(isWanted: (team: Team) => boolean, id: string, { client, pause }: Playing): Promise<Team> {
  for (let looks = 0; ; looks++) {
    const { team } = await client.call("getTeam", { params: { id } });
    if (isWanted(team) || hasEnded(team.status) || looks >= MOST_LOOKS) return team;
    await pause(LOOK_AGAIN_MS);
  }
}

async function spawn(client: Client, stage: DemoStage, name: DemoTaskName): Promise<string> {
  const { roleId } = DEMO_TASKS[name];
  const answer = await client.call("spawn", { body: { projectId: DEMO_PROJECT, roleId, taskId: stage[name] } });
  if ("plan" in answer) throw new HallError("internal", "The run was planned but not started.");
  return answer.sessionId;
}

interface Watched {
  run: Run;
  tail: JournalTail;
  over: PromiseWithResolvers<Run>;
  /** Its end was told. A run may be over before it is first seen. */
  isTold: boolean;
}

type Result = Extract<JournalEntry, { type: "result" }>;

/** Tells what the runs of a project do, as it happens. What they did comes from their journals, so nothing is missed. */
class RunWatch {
  readonly #client: Client;
  readonly #tell: Tell;
  readonly #runs = new Map<string, Promise<Watched>>();
  /** Runs whose result the quality gate was asked about and that have not been told of, by task. */
  readonly #checked = new Map<string, string>();
  readonly #lost = Promise.withResolvers<never>();

  constructor(client: Client, tell: Tell) {
    this.#client = client;
    this.#tell = tell;
    // Whoever waits for a run hears of it.
    this.#lost.promise.catch(() => undefined);
  }

  /** Resolves when it listens; runs that start afterwards are told. */
  async open(projectId: string): Promise<void> {
    const stream = await this.#client.open({ topics: "runs", project: projectId }, 0);
    void this.#listen(stream).catch((error: unknown) => this.#lost.reject(error));
  }

  /** Resolves with the run when it is over and all of it was told. */
  async over(runId: string): Promise<Run> {
    const { over } = await this.#watched(runId);
    return Promise.race([over.promise, this.#lost.promise]);
  }

  /** Every run that was seen, children too, without those that review for a quality gate. */
  async all(): Promise<Run[]> {
    const seen = await Promise.all([...this.#runs.values()].map(async (each) => (await each).run));
    return seen.filter(({ purpose }) => purpose !== "review");
  }

  /** What the quality gate came to, once. */
  tellGate(run: Run): void {
    const { gate } = run.delivery ?? {};
    if (gate?.verdict === undefined || !this.#checked.delete(run.taskId)) return;
    this.#tell({ step: "gate", ...doer(run), verdict: gate.verdict, cycle: gate.cycle });
  }

  async #listen(stream: AsyncIterable<Live>): Promise<void> {
    for await (const live of stream) {
      if (live.kind !== "run") continue;
      const watched = await this.#watched(live.runId);
      await watched.tail.catchUp();
      if (live.run !== undefined && isOver(live.run)) await this.#end(watched);
    }
    throw new HallError("daemon_unreachable", "The daemon exited before the demo finished.");
  }

  #watched(runId: string): Promise<Watched> {
    const known = this.#runs.get(runId) ?? this.#begin(runId);
    this.#runs.set(runId, known);
    return known;
  }

  async #begin(runId: string): Promise<Watched> {
    const { run } = await this.#client.call("getRun", { params: { runId } });
    const before = this.#checked.get(run.taskId);
    if (before !== undefined) this.tellGate((await this.#client.call("getRun", { params: { runId: before } })).run);
    this.#tell({ step: "started", ...doer(run), title: run.title });
    const calls = new Map<string, ToolCall>();
    const onEntry = (entry: JournalEntry) => {
      if (entry.type === "answer") for (const call of entry.calls ?? []) calls.set(call.id, call);
      if (entry.type === "result") this.#tellResult(run, entry, calls.get(entry.id));
      if (entry.type === "message" && entry.id.startsWith(HALL_MESSAGE))
        this.#tell({ step: "nudged", ...doer(run), text: entry.text });
    };
    return {
      run,
      tail: new JournalTail(runId, this.#client, { after: 0, onEntry }),
      over: Promise.withResolvers<Run>(),
      isTold: false,
    };
  }

  #tellResult(run: Run, { name, output, failed, files = [] }: Result, call: ToolCall | undefined): void {
    if (name === "exec") {
      const command = commandIn(call?.input ?? "");
      this.#tell({ step: "ran", ...doer(run), command, failed: failed === true, tests: testCountIn(output) });
    } else if (files.length > 0 && name !== "spawn_subagent") {
      this.#tell({ step: "edited", ...doer(run), files });
    }
  }

  async #end(watched: Watched): Promise<void> {
    if (watched.isTold) return;
    watched.isTold = true;
    const { run } = await this.#client.call("getRun", { params: { runId: watched.run.id } });
    watched.run = run;
    const { files, additions, deletions, reason, reasonCode } = run.delivery ?? {};
    const state = reasonCode === "gate-running" ? "checking" : run.delivery?.state;
    if (state === "checking") this.#checked.set(run.taskId, run.id);
    const why = run.error ?? reason;
    this.#tell({ step: "ended", ...doer(run), status: run.status, state, reason: why, files, additions, deletions });
    watched.over.resolve(run);
  }
}

function doer({ id, roleId, taskId, parentRunId }: Run) {
  return { runId: id, roleId, taskId, ...(parentRunId === undefined ? {} : { parentRunId }) };
}

function commandIn(input: string): string {
  try {
    const { command } = JSON.parse(input) as { command?: unknown };
    return typeof command === "string" ? command : "a command";
  } catch {
    return "a command";
  }
}
