import { createHash } from "node:crypto";
import type { Question } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { HandedIn } from "../../contract/runs/hand-in.ts";
import type { Run } from "../../contract/runs/run.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { DelegatedOutcome, Delegating, MemberAnswers } from "../../runs/member-questions.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import { type Consensus, consensusOf, consensusRoute } from "../machine/consensus.ts";
import type { TeamFact } from "../machine/team-facts.ts";
import type { TaskState, TeamState } from "../machine/team-state.ts";
import type { TeamKeeper } from "../team-keeper.ts";
import type { TeamStore } from "../team-store.ts";
import { isKnown, subagentOrder, whyNoSubagent } from "./subagents.ts";
import { taskText } from "./task-text.ts";

interface Parts {
  core: Pick<Core, "runs">;
  store: Pick<TeamStore, "find" | "append">;
  keeper: Pick<TeamKeeper, "alone">;
}

interface Member {
  state: TeamState;
  task: TaskState;
}

const LONGEST_QUESTION = 400;
const LONGEST_CONTEXT = 12_000;

/** Answers what members of teams ask while they work. */
export class MemberDesk implements MemberAnswers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  task(run: Run, named: string | undefined): string {
    const { state, task } = this.#memberOf(run);
    const found = named === undefined ? task : taskNamed(state, named);
    if (found === undefined) {
      const keys = [...state.tasks.keys()].slice(0, 50).join(", ");
      throw new HallError("team_refused", `Your team has no task '${named}'. Its tasks: ${keys}.`);
    }
    return taskText(state, found, (runId) => this.#parts.core.runs.get(runId)?.run.result);
  }

  async delegate(asked: Delegating): Promise<DelegatedOutcome> {
    const { run, to, question } = asked;
    const { state, task } = this.#memberOf(run);
    const refused = whyNoSubagent(to, task.roleSpec?.subagents ?? []);
    if (refused !== undefined || !isKnown(to)) throw new HallError("team_refused", refused ?? "");
    const known = taskText(state, task, (runId) => this.#parts.core.runs.get(runId)?.run.result);
    const context = cutText(below(known), LONGEST_CONTEXT);
    const order = subagentOrder(to, { question, context, roleId: run.roleId });
    if (order.handIn === undefined) return (await asked.start(order)).answer;
    if (order.handIn.kind === "discuss") return this.#discuss(asked, { state, task }, () => asked.start(order));
    return this.#explore(asked, state, () => asked.start(order));
  }

  /** What was found is used again while the folder holds the same. */
  async #explore(asked: Delegating, { document }: TeamState, start: () => ReturnType<Delegating["start"]>) {
    const { id } = document;
    const tree = await asked.tree();
    const key = tree === undefined ? undefined : explorationKey(asked, tree);
    const known = key === undefined ? undefined : this.#parts.store.find(id)?.explorations.get(key);
    const found = known === undefined ? undefined : this.#handIn(known);
    if (found !== undefined) return { ...explored(found), output: `${explored(found).output}\n\n(Found before.)` };
    const { run, answer } = await start();
    const handIn = run.result?.handIn;
    if (handIn?.kind !== "explore") return answer;
    // What changed meanwhile, the answer may not know.
    if (key !== undefined && tree === (await asked.tree()))
      await this.#note(id, { type: "explored", key, runId: run.id }, (state) => !state.explorations.has(key));
    return explored(handIn);
  }

  async #discuss(
    { question }: Delegating,
    { state, task }: Member,
    start: () => ReturnType<Delegating["start"]>,
  ): Promise<DelegatedOutcome> {
    const { run, answer } = await start();
    const handIn = run.result?.handIn;
    if (handIn?.kind !== "discuss") return answer;
    const consensus = consensusOf(handIn.perspectives);
    const { key } = task.plan;
    const fact: TeamFact = { type: "discussed", key, runId: run.id, ...consensus };
    await this.#note(state.document.id, fact, ({ tasks }) => tasks.get(key)?.consensus?.runId !== run.id);
    const ratings = handIn.perspectives.map(
      ({ name, rating, severity, note }) => `- ${name}: ${rating} of 5, ${severity}. ${note}`,
    );
    const output = [verdictText(consensus), ...ratings].join("\n");
    const ask = consensusRoute(consensus) === "ask" ? consensusQuestion(task, { question, output }) : undefined;
    return { output, failed: false, files: [], ask };
  }

  /** Once, also where the same call comes again after a crash. */
  async #note(id: string, fact: TeamFact, isNew: (state: TeamState) => boolean): Promise<void> {
    const { store, keeper } = this.#parts;
    await keeper.alone(id, async () => {
      const state = store.find(id);
      if (state === undefined || hasEnded(state.status) || !isNew(state)) return;
      await store.append(id, [fact], { change: { actor: BY_DAEMON } });
    });
  }

  #handIn(runId: string): Extract<HandedIn, { kind: "explore" }> | undefined {
    const handIn = this.#parts.core.runs.get(runId)?.run.result?.handIn;
    return handIn?.kind === "explore" ? handIn : undefined;
  }

  #memberOf({ id, team, taskId }: Run): Member {
    const state = team === undefined ? undefined : this.#parts.store.find(team.id);
    const key = state?.index.byRun.get(id) ?? state?.index.byTask.get(taskId);
    const task = key === undefined ? undefined : state?.tasks.get(key);
    if (state === undefined || task === undefined)
      throw new HallError("team_refused", "This run has no task of a team.");
    return { state, task };
  }
}

function taskNamed({ tasks, index }: TeamState, named: string): TaskState | undefined {
  return tasks.get(named) ?? tasks.get(index.byTask.get(named.toUpperCase()) ?? "");
}

/** With its headings below the one that it stands under. */
function below(text: string): string {
  return text.replaceAll(/^(?=#{1,4} )/gm, "##");
}

/** The same words about the same files, asked of the same subagent. */
function explorationKey({ to, question }: Delegating, tree: string): string {
  const words = question.toLowerCase().replaceAll(/\s+/g, " ").trim();
  return createHash("sha256")
    .update(JSON.stringify([to, words, tree]))
    .digest("hex");
}

function explored({ summary, findings }: Extract<HandedIn, { kind: "explore" }>): DelegatedOutcome {
  const lines = findings.map(({ file, line, note }) => `- ${file}${line === undefined ? "" : `:${line}`}: ${note}`);
  return { output: [summary, ...lines].join("\n"), failed: false, files: [] };
}

const NEXT: Record<ReturnType<typeof consensusRoute>, string> = {
  continue: "Continue.",
  warn: "Continue, but deal with the objections below, and name those that remain in your report.",
  ask: "Don't continue like this: a decision was asked for.",
};

function verdictText(consensus: Consensus): string {
  const { verdict, severity, rating } = consensus;
  return `${verdict} (severity ${severity}, rating ${rating} of 5). ${NEXT[consensusRoute(consensus)]}`;
}

function consensusQuestion(
  { plan, taskId }: TaskState,
  { question, output }: { question: string; output: string },
): Question {
  return {
    type: "decision",
    question: cutText(
      `“${plan.title}”: a review has strong objections. How should the member continue?`,
      LONGEST_QUESTION,
    ),
    context: cutText(`Proposal:\n${question}\n\n${output}`, LONGEST_CONTEXT),
    suggestedAnswers: [
      { label: "Change the proposal", description: "The member deals with the objections first." },
      { label: "Continue anyway", description: "The member continues as it proposed." },
    ],
    priority: "high",
    blocksTask: taskId ?? null,
    blocksInitiative: false,
  };
}
