import type { Config } from "../contract/documents/config.ts";
import { OFFLINE_PROVIDER } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import { endMessageId } from "../contract/runs/end-message.ts";
import type { Run, RunAsker, SpawnResponse } from "../contract/runs/run.ts";
import { SpawnRequest } from "../contract/runs/run.ts";
import { cutText } from "../contract/words/cut-text.ts";
import { hint } from "../contract/words/hint.ts";
import { OFFLINE_MODEL } from "../models/providers.ts";
import { EXPLORE_ROLE } from "../runs/plan/built-in-roles.ts";
import { SpawnRate } from "../runs/plan/spawn-rate.ts";
import type { Change } from "../workspace/change.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { assertMay, type Caller, refusalOf } from "../workspace/rights.ts";
import { type Exchange, mayGoOn } from "./channels/exchange.ts";

const LONGEST_RESULT = 20_000;

export interface AgentSpawn {
  projectId: string;
  role: string;
  /** What it is about: a task of the board, or one that is made for it. */
  task: { id: string } | { title: string; description: string };
  actor: Actor;
  /** Whose rights count. */
  caller: Caller;
  asker: RunAsker;
  /** Asking again with the same one starts nothing more. */
  callId: string;
  /** The model of the agent that asks. */
  model: string;
  /** Tools that need consent in the run whose words it acts on; the new run needs it, too. */
  ask?: string[] | undefined;
}

interface Parts {
  hall: Hall;
  limits: Config["limits"];
  exchange: Exchange;
  clock: () => Date;
  /** Undefined: there is no such project. */
  statusOf: (projectId: string) => string | undefined;
  hasRole: (roleId: string) => boolean;
  /** Tools that need consent in a run. */
  askOf: (runId: string) => string[] | undefined;
  spawn: (request: SpawnRequest, change: Change, how: { asker: RunAsker }) => Promise<SpawnResponse>;
}

/** Runs that the main agent and the agents of projects have started: they do not wait for them, but are told of their end. */
export class AgentSpawns {
  readonly #parts: Parts;
  readonly #rate: SpawnRate;
  /** How many came of one message of the person. */
  readonly #ofRoot = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#rate = new SpawnRate(parts.clock);
  }

  /** `text`: the answer in words. Rejects with HallError when it is refused. */
  async start(spawn: AgentSpawn): Promise<{ runId: string; text: string }> {
    const { hall } = this.#parts;
    const { projectId, task, actor, asker, callId, model, ask } = spawn;
    const request = { key: callId, fingerprint: "" };
    const known = hall.replay(request);
    if (known !== undefined) return started(known.subjectId, projectId);
    this.#assertRole(spawn);
    this.#assertMaySpawn(projectId, asker.root);
    const roleId = await this.#roleOf(spawn.role, actor);
    const body = SpawnRequest.safeParse({
      projectId,
      roleId,
      ...("id" in task
        ? { taskId: task.id }
        : { task: { ...task, ...(this.#isExplorer(spawn.role) && { type: "explore" as const }) } }),
      // Whoever rehearses does not expect that a part of it is paid for.
      overrides: { ...(model.startsWith(`${OFFLINE_PROVIDER}/`) && { model: OFFLINE_MODEL }), ...(ask && { ask }) },
      options: { notifyOnComplete: false },
    });
    if (!body.success) throw new HallError("invalid", body.error.issues.map(({ message }) => message).join("; "));
    const { sessionId } = await this.#parts.spawn(body.data, { actor, request }, { asker });
    return started(sessionId, projectId);
  }

  /** The agent that had it started hears of its end, however often this is done, once. */
  async tellAsker({ channel, answerTo, root, hops, agent }: RunAsker, run: Run): Promise<() => void> {
    const text = endText(run);
    const to = agent;
    const draft = { id: endMessageId(run.id), from: "hall" as const, to, text, root, hops: (hops ?? 0) + 1 };
    const project = channel.type === "project" ? {} : { project: run.projectId };
    const ask = this.#parts.askOf(run.id);
    // Whoever cancels a run wants less to be done, not more.
    const quiet = mayGoOn({ hops }) && run.status !== "cancelled" ? {} : { quiet: true as const };
    // The project of the agent that asked may be gone by now.
    if (channel.type === "project" && this.#parts.statusOf(channel.id) === undefined) return () => undefined;
    const { hand } = await this.#parts.exchange.leave(channel, {
      ...draft,
      ...project,
      ...quiet,
      ...(answerTo === undefined ? {} : { answerTo }),
      ...(ask === undefined ? {} : { ask }),
    });
    return hand;
  }

  /** The team is what the person assigned: whoever may not choose beyond it learns how it grows. */
  #assertRole({ projectId, role, caller }: AgentSpawn): void {
    const team = this.#parts.hall.team.list(projectId).map(({ roleId }) => roleId);
    const isOfTeam = team.includes(roleIdOf(role)) || this.#isExplorer(role);
    assertMay(caller, "spawnTeamRole", { project: projectId });
    if (isOfTeam || refusalOf(caller, "spawnOtherRole", { project: projectId }) === undefined) return;
    const known = team.length === 0 ? "It has no team yet" : `Its team: ${team.join(", ")}`;
    throw new HallError("forbidden", `Role '${role}' is not on the team of project '${projectId}'. ${known}.`, {
      hint: hint("role-assign", { role: roleIdOf(role), project: projectId }),
    });
  }

  /** The built-in role that only reads; one of the hall with its name is like any other. */
  #isExplorer(name: string): boolean {
    return roleIdOf(name) === EXPLORE_ROLE && this.#parts.hasRole(EXPLORE_ROLE) === false;
  }

  #assertMaySpawn(projectId: string, root: string | undefined): void {
    const { spawnsPerTree, spawnsPerMinute } = this.#parts.limits;
    const count = (root === undefined ? 0 : this.#ofRoot.get(root)) ?? 0;
    const refuse = (what: string) => new HallError("spawn_refused", `No more agents can be started here: ${what}.`);
    if (count >= spawnsPerTree) throw refuse(`limits.spawnsPerTree is ${spawnsPerTree}`);
    if (!this.#rate.mayStart(projectId, spawnsPerMinute)) throw refuse(`limits.spawnsPerMinute is ${spawnsPerMinute}`);
    if (root === undefined) return;
    if (this.#ofRoot.size > 1_000) this.#ofRoot.clear();
    this.#ofRoot.set(root, count + 1);
  }

  /** A role of the hall; a template becomes one when it is first asked for. */
  async #roleOf(name: string, actor: Actor): Promise<string> {
    const { roles } = this.#parts.hall;
    const id = roleIdOf(name);
    if (this.#isExplorer(name)) return id;
    try {
      return roles.get(id).id;
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "role_not_found") throw error;
      if (!roles.templates().some((template) => template.id === id)) throw unknownRole(this.#parts.hall, name);
      return (await roles.create({ template: id }, { actor })).id;
    }
  }
}

/** Agents write capitals. */
function roleIdOf(name: string): string {
  return name.trim().toLowerCase();
}

function unknownRole({ roles }: Hall, name: string): HallError {
  const known = roles.list({ limit: 50 }).roles.map(({ id }) => id);
  const templates = roles.templates().map(({ id }) => id);
  const choices = [...new Set([...known, ...templates])].join(", ");
  return new HallError("role_not_found", `There is no role '${name}'.`, { hint: `Choose one of: ${choices}.` });
}

function started(runId: string, projectId: string): { runId: string; text: string } {
  const text = `${runId} is running in project '${projectId}'. You get a message when it ends; don't wait for it.`;
  return { runId, text };
}

const ENDED: Record<Run["status"], string> = {
  pending: "is queued",
  running: "is running",
  completed: "completed",
  failed: "failed",
  cancelled: "was stopped",
};

function endText({ id, roleId, title, status, taskId, result, error, delivery }: Run): string {
  const said = result?.output ?? "";
  const shown = cutText(said, LONGEST_RESULT, "\n(cut; see the artifact for the full text)");
  const standing = delivery?.state;
  const files = result?.filesChanged ?? [];
  return [
    `Run ${id} (${roleId}, ${taskId} "${title}") ${ENDED[status]}.`,
    standing === "review" ? "Its result is waiting for the person's review." : "",
    files.length === 0 ? "" : `Files changed: ${files.slice(0, 50).join(", ")}`,
    error === undefined ? "" : `Error: ${error}`,
    shown === "" ? "" : `Report:\n\n${shown}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
