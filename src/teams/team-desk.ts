import type { RoleSpec } from "../contract/documents/teams/role-spec.ts";
import type { Team, TeamActivity, TeamTask } from "../contract/documents/teams/team.ts";
import type { MemberHealth } from "../contract/documents/teams/team-health.ts";
import { HallError } from "../contract/errors.ts";
import type { RouteBody, RouteQuery, RouteResponse } from "../contract/routes/routes.ts";
import { hasEnded } from "../contract/words/teams/team-words.ts";
import type { EscalationChanges } from "../people/asking/escalation-changes.ts";
import { ChangedMeanwhile } from "../store/files/draft-file.ts";
import type { Change } from "../workspace/change.ts";
import { decodeTextCursor, encodeCursor } from "../workspace/cursor.ts";
import { assertActorMay } from "../workspace/rights.ts";
import type { AutonomyDesk } from "./autonomy/autonomy-desk.ts";
import type { BusDesk } from "./bus/bus-desk.ts";
import { editedPlan } from "./edited-plan.ts";
import { parseSpecText, renderSpec, specChanges } from "./machine/spec-text.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TeamState } from "./machine/team-state.ts";
import type { RoleSpecFiles } from "./role-specs/role-spec-files.ts";
import type { SpecFiles } from "./spec-files.ts";
import type { TeamKeeper } from "./team-keeper.ts";
import { labelOf } from "./team-questions.ts";
import { type TeamStarts, whoIs } from "./team-start.ts";
import type { TeamStore } from "./team-store.ts";
import type { TeamViews } from "./team-views.ts";

interface Parts {
  starts: TeamStarts;
  store: TeamStore;
  keeper: Pick<TeamKeeper, "alone" | "advance" | "look">;
  specs: Pick<SpecFiles, "read" | "notice" | "forget">;
  roleSpecs: Pick<RoleSpecFiles, "list" | "write" | "forget">;
  views: TeamViews;
  messages: BusDesk;
  /** Called when a team's folder goes. */
  forget: (id: string) => void;
  changes: Pick<EscalationChanges, "step">;
  healthOf: (state: TeamState) => MemberHealth[];
  autonomy: AutonomyDesk;
  /** A limit was changed: whoever waits for money looks again. */
  budgetChanged: () => void;
  whyNot: (model: string) => string | undefined;
  /** Ids of roles that a plan may name. */
  roles: () => string[];
  onTrouble: (what: string, error: unknown) => void;
}

type Decision = { is: "approve"; body: RouteBody<"approvePlan"> } | { is: "reject"; remarks: string };
type Order = "pause" | "resume" | "stop" | "clean-up";

/** What the API asks of teams. */
export class TeamDocuments {
  readonly #parts: Parts;

  readonly messages: BusDesk;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.messages = parts.messages;
  }

  readonly starts = {
    goal: async (projectId: string, body: RouteBody<"createTeam">, change: Change): Promise<Team> =>
      this.get(await this.#parts.starts.start(projectId, body, change)),
    session: async (projectId: string, body: RouteBody<"importTeam">, change: Change): Promise<Team> =>
      this.get(await this.#parts.starts.session(projectId, body, change)),
  };

  list({ project, status, limit, cursor }: RouteQuery<"listTeams">): { teams: Team[]; nextCursor?: string } {
    const before = decodeTextCursor(cursor);
    const { store, views } = this.#parts;
    const found = store
      .all()
      .filter(({ projectId }) => project === undefined || projectId === project)
      .filter((team) => status === undefined || (status === "active" ? !hasEnded(team.status) : team.status === status))
      .filter(({ id }) => before === undefined || id < before)
      .toSorted((left, right) => (left.id < right.id ? 1 : -1));
    const teams = found.slice(0, limit).flatMap(({ id }) => {
      const state = store.find(id);
      return state === undefined ? [] : [views.of(state)];
    });
    const last = found.slice(0, limit).at(-1);
    return found.length > limit && last !== undefined ? { teams, nextCursor: encodeCursor([last.id]) } : { teams };
  }

  get(id: string): Team {
    return this.#parts.views.of(this.#known(id));
  }

  /** A team whose file was fixed meanwhile can be read again. */
  #known(id: string): TeamState {
    const { store, keeper } = this.#parts;
    if (store.find(id) === undefined) for (const mended of store.retryBroken()) keeper.look(mended);
    return store.get(id);
  }

  activity(id: string, { after = 0, limit }: RouteQuery<"listTeamActivity">): TeamActivity[] {
    this.#known(id);
    const newer = this.#parts.store.activity(id).filter(({ seq }) => seq > after);
    if (limit === undefined) return newer;
    // Who asks for what is new gets the next; else the newest.
    return after > 0 ? newer.slice(0, limit) : newer.slice(-limit);
  }

  tasks(id: string): TeamTask[] {
    return this.#parts.views.tasks(this.#known(id));
  }

  async spec(id: string): Promise<RouteResponse<"getTeamSpec">> {
    const state = this.#known(id);
    const { spec, criteria } = state;
    if (spec === undefined) throw new HallError("team_refused", `Team '${id}' has no spec yet.`);
    const { text, etag } = this.#parts.specs.read(state) ?? { text: renderSpec(spec), etag: "" };
    return { text, etag, spec, criteria: [...criteria.values()] };
  }

  async editSpec(id: string, text: string, change: Change): Promise<{ team: Team; changed: string[] }> {
    const { specs, store } = this.#parts;
    return this.#change(id, async () => {
      const before = this.#open(id);
      // What was edited by hand is taken in first, so that the version is compared with what is there.
      await specs.notice(before);
      const state = this.#open(id);
      if (state.spec === undefined) throw new HallError("team_refused", `Team '${id}' has no spec yet.`);
      const { etag } = specs.read(state) ?? { etag: "" };
      if (change.ifMatch !== undefined && change.ifMatch !== etag)
        throw new HallError("version_mismatch", `The spec of team '${id}' was changed meanwhile.`);
      const read = parseSpecText(text, state.spec);
      if ("faults" in read)
        throw new HallError(
          "invalid",
          read.faults.map(({ line, reason }) => `text: line ${line}: ${reason}`).join("\n"),
        );
      const changed = specChanges(state.spec, read.spec);
      if (changed.length > 0) {
        const fact: TeamFact = { type: "spec-edited", spec: read.spec, changed, by: whoIs(change.actor) };
        await store.append(id, [fact], { change, spec: text });
      }
      return { changed };
    });
  }

  readonly roleSpecs = {
    list: (id: string): RoleSpec[] => this.#parts.roleSpecs.list(this.#known(id)),
    edit: async (id: string, of: { name: string; text: string }, change: Change): Promise<RoleSpec> => {
      await this.#change(id, () => this.#parts.roleSpecs.write(this.#open(id), of, change));
      const found = this.roleSpecs.list(id).find(({ name }) => name === of.name);
      if (found === undefined) throw new HallError("team_refused", `Team '${id}' has no role-spec '${of.name}'.`);
      return found;
    },
  };

  plan(id: string): RouteResponse<"getTeamPlan"> {
    const { plan, strategy, planApprovedBy } = this.#known(id);
    if (plan === undefined) throw new HallError("team_refused", `Team '${id}' has no plan yet.`);
    return {
      plan,
      ...(strategy === undefined ? {} : { strategy }),
      ...(planApprovedBy === undefined ? {} : { approvedBy: planApprovedBy }),
    };
  }

  /** The decision and the answer to the team's question are one change. */
  async decide(id: string, decision: Decision, change: Change): Promise<Team> {
    assertActorMay(change.actor, "answer");
    const { store, changes, keeper } = this.#parts;
    const { team } = await this.#change(id, async () => {
      // What the team asks may not be on disk yet.
      await keeper.advance(id);
      const state = this.#open(id);
      const what = awaited(state);
      const by = whoIs(change.actor);
      const facts = decided(state, { what, decision, by, roles: this.#parts.roles() });
      const { question } = state;
      const escalationId = question?.kind === what ? question.escalationId : undefined;
      if (escalationId === undefined) return void (await store.append(id, facts, { change }));
      const code = decision.is === "approve" ? "approve" : "reject";
      const words = decision.is === "approve" ? decision.body?.remarks : decision.remarks;
      const answer = {
        type: "resolve" as const,
        ...{ code, answer: labelOf(what, code) },
        resolution: words,
        scope: "task" as const,
      };
      await store.with(id, facts, { change }, (together) => changes.step(escalationId, answer, change, together));
    });
    return team;
  }

  async steer(id: string, order: Order, change: Change): Promise<Team> {
    if (order === "clean-up") return this.#cleanUp(id, change);
    const by = whoIs(change.actor);
    const { team } = await this.#change(id, async () => {
      const { status, autonomy } = this.#known(id);
      const isAutonomous = autonomy !== undefined && autonomy.mode !== "off";
      const fact = steered(status, order, { id, by, ...(isAutonomous && { code: "user-requested" as const }) });
      const facts = fact?.type === "resumed" ? this.#parts.autonomy.resume(this.#known(id), by) : fact && [fact];
      if (facts !== undefined) await this.#parts.store.append(id, facts, { change });
    });
    return team;
  }

  async #cleanUp(id: string, change: Change): Promise<Team> {
    const { store, keeper, specs } = this.#parts;
    return keeper.alone(id, async () => {
      const state = this.#known(id);
      if (!hasEnded(state.status))
        throw new HallError("team_refused", `Team '${id}' is ${state.status}. Stop it first.`);
      const team = this.#parts.views.of(state);
      await store.archive(id, change);
      specs.forget(id);
      this.#parts.roleSpecs.forget(id);
      this.#parts.forget(id);
      return team;
    });
  }

  readonly limits = {
    setBudget: async (id: string, budgetUsd: number | null, change: Change): Promise<Team> => {
      assertActorMay(change.actor, "setBudget");
      const { team } = await this.#change(id, async () => {
        const state = this.#open(id);
        const facts = this.#parts.autonomy.budget(state, budgetUsd, whoIs(change.actor));
        if (state.budgetUsd !== budgetUsd) await this.#parts.store.append(id, facts, { change });
      });
      this.#parts.budgetChanged();
      return team;
    },
    autonomy: (id: string) => this.#parts.autonomy.show(this.#known(id)),
    setAutonomy: async (id: string, asked: RouteBody<"setTeamAutonomy">, change: Change): Promise<Team> => {
      const { team } = await this.#change(id, async () => {
        const facts = this.#parts.autonomy.set(this.#known(id), asked, change);
        await this.#parts.store.append(id, facts, { change });
      });
      this.#parts.budgetChanged();
      return team;
    },
  };

  readonly members = {
    health: (id: string): MemberHealth[] => this.#parts.healthOf(this.#known(id)),
    swapModel: async (id: string, { name, model }: { name: string; model: string }, change: Change): Promise<Team> => {
      const refused = this.#parts.whyNot(model);
      if (refused !== undefined) throw new HallError("invalid", `model: ${refused}`);
      const { team } = await this.#change(id, async () => {
        this.#memberOf(id, name);
        const by = whoIs(change.actor);
        const fact = { type: "model-swapped" as const, member: name, model, by, reason: "chosen" };
        await this.#parts.store.append(id, [fact], { change });
      });
      return team;
    },
    stop: async (id: string, name: string, change: Change): Promise<Team> => {
      const { team } = await this.#change(id, async () => {
        const { isStopped } = this.#memberOf(id, name);
        if (isStopped) return;
        const fact = { type: "member-left" as const, name, reason: `stopped by ${whoIs(change.actor)}` };
        await this.#parts.store.append(id, [fact], { change });
      });
      return team;
    },
  };

  async report(id: string): Promise<RouteResponse<"getTeamReport">> {
    return this.#parts.views.report(this.#known(id));
  }

  /** Changes a team, and does at once what follows. */
  async #change<Result>(id: string, work: () => Promise<Result>): Promise<Result & { team: Team }> {
    const { keeper, onTrouble } = this.#parts;
    this.#known(id);
    return keeper.alone(id, async () => {
      const result = await work().catch((error) => {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        throw new HallError("version_mismatch", `Team '${id}' was changed meanwhile.`);
      });
      // The change is made; what could not follow now is tried again.
      await keeper.advance(id).catch((error) => {
        onTrouble(`team ${id} could not continue yet`, error);
        keeper.look(id);
      });
      return { ...result, team: this.get(id) } as Result & { team: Team };
    });
  }

  #open(id: string): TeamState {
    const state = this.#known(id);
    if (hasEnded(state.status)) throw new HallError("team_refused", `Team '${id}' is ${state.status}.`);
    return state;
  }

  #memberOf(id: string, name: string) {
    const member = this.#open(id).members.get(name);
    if (member === undefined) throw new HallError("team_refused", `Team '${id}' has no member '${name}'.`);
    return member;
  }
}

/** What the team waits for approval of. */
function awaited({ status, pausedFrom, document, approved }: TeamState): "spec" | "plan" {
  const stage = status === "paused" ? pausedFrom : status;
  if (stage !== "awaiting-approval")
    throw new HallError("team_refused", `Team '${document.id}' is ${status}: it waits for no approval.`);
  return document.approval === "spec-and-plan" && !approved.spec ? "spec" : "plan";
}

function decided(
  state: TeamState,
  { what, decision, by, roles }: { what: "spec" | "plan"; decision: Decision; by: string; roles: string[] },
): TeamFact[] {
  if (decision.is === "reject") return [{ type: "rejected", what, by, remarks: decision.remarks }];
  const edited = decision.body?.plan;
  if (edited === undefined) return [{ type: "approved", what, by }];
  if (what === "spec") throw new HallError("invalid", "plan: the team waits for approval of its spec.");
  return [{ type: "approved", what, by, ...editedPlan(state, edited, roles) }];
}

function steered(
  status: TeamState["status"],
  order: Exclude<Order, "clean-up">,
  { id, by, code }: { id: string; by: string; code?: "user-requested" },
): TeamFact | undefined {
  if (order === "stop") return hasEnded(status) ? undefined : { type: "stopped", by };
  if (hasEnded(status)) throw new HallError("team_refused", `Team '${id}' is ${status}.`);
  if (order === "pause") return status === "paused" ? undefined : { type: "paused", by, ...(code && { code }) };
  return status === "paused" ? { type: "resumed", by } : undefined;
}
