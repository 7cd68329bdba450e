import { HallError } from "../../contract/errors.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Live } from "../../contract/runs/live.ts";
import type { ToolCall } from "../../contract/runs/model-call.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Client } from "../http/client.ts";
import { JournalTail } from "../runs/journal-tail.ts";
import type { DemoStage } from "./demo-stage.ts";
import type { Tell } from "./demo-step.ts";
import { DEMO_PROJECT, DEMO_TASKS, type DemoTaskName } from "./demo-tasks.ts";
import { testCountIn } from "./test-count.ts";

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
  if ("plan" in answer) throw new HallError("internal", "The run was planned but not started.");
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

  /** Every run that was seen, children too. */
  async all(): Promise<Run[]> {
    return Promise.all([...this.#runs.values()].map(async (each) => (await each).run));
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
    this.#tell({ step: "started", ...doer(run), title: run.title });
    const calls = new Map<string, ToolCall>();
    const onEntry = (entry: JournalEntry) => {
      if (entry.type === "answer") for (const call of entry.calls ?? []) calls.set(call.id, call);
      if (entry.type === "result") this.#tellResult(run, entry, calls.get(entry.id));
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
    const { state, files, additions, deletions, reason } = run.delivery ?? {};
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
