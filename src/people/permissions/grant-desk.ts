import { setImmediate } from "node:timers/promises";
import { GRANT_ID, type Grant } from "../../contract/documents/permission.ts";
import { HallError } from "../../contract/errors.ts";
import type { GrantUse, ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { ruleText, visible } from "../../contract/words/permission-words.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import { isExpired } from "./coverage.ts";
import type { GrantHistory } from "./grant-history.ts";
import { isAllowedBy, subjectOf } from "./rule.ts";

interface Parts {
  core: Pick<Core, "clock" | "runs">;
  hall: Pick<Hall, "escalations" | "grants">;
  history: Pick<GrantHistory, "grants" | "isRevoked" | "usesOf">;
  journalOf: (runId: string) => readonly JournalEntry[];
}

type Preview = RouteResponse<"previewPermission">;

const RECENT_MS = 30 * 24 * 3_600_000;
const MOST_RUNS = 1_000;
const MOST_CALLS = 100;
const ENDED_WORDS: Record<Exclude<ShownGrant["state"], "open">, string> = {
  used: "it allowed one call, which was made",
  expired: "it expired",
  revoked: "it was revoked",
};

/** What people see of permissions, and how they end them. */
export class GrantDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list({
    project,
    all = false,
  }: {
    project?: string | undefined;
    all?: boolean | undefined;
  }): Promise<ShownGrant[]> {
    const grants = (await this.#known()).filter(({ projectId }) => project === undefined || projectId === project);
    const shown = await Promise.all(grants.map((grant) => this.#shown(grant)));
    const wanted = all ? shown : shown.filter(({ state }) => state === "open");
    const rank = ({ state }: ShownGrant) => (state === "open" ? 0 : 1);
    return wanted.sort((left, right) => rank(left) - rank(right) || numberOf(right) - numberOf(left));
  }

  async get(id: string): Promise<{ grant: ShownGrant; uses: GrantUse[] }> {
    const grant = (await this.#known()).find((one) => one.id === id);
    if (grant === undefined) throw new HallError("grant_not_found", `There is no grant '${id}'.`);
    return { grant: await this.#shown(grant), uses: await this.#parts.history.usesOf(id) };
  }

  async revoke(id: string, change: Change): Promise<ShownGrant> {
    assertActorMay(change.actor, "answer");
    const { state } = (await this.get(id)).grant;
    if (state !== "open") throw new HallError("grant_not_found", `${id} is not open: ${ENDED_WORDS[state]}.`);
    return { ...(await this.#shown(await this.#parts.hall.grants.revoke(id, change))), state: "revoked" };
  }

  /** Of an escalation that asks for permission. */
  async preview(id: string): Promise<Preview> {
    const { core, hall, journalOf } = this.#parts;
    const { permission, projectId } = await hall.escalations.get(id);
    if (permission === undefined || projectId === undefined)
      throw new HallError("invalid", `${id} is not a permission request.`);
    const { rule, roleId, runId, callId } = permission;
    const since = new Date(core.clock().getTime() - RECENT_MS).toISOString();
    const calls: Preview["calls"] = [];
    for (const { run } of core.runs.list({ projectId, roleId, limit: MOST_RUNS })) {
      if (run.createdAt < since) break;
      // Others get their turn: journals may be long.
      await setImmediate();
      for (const { id: called, name: tool, input, at } of callsIn(journalOf(run.id)))
        if (at >= since && !(run.id === runId && called === callId) && isAllowedBy(rule, { tool, input }))
          calls.push({ ...placeOf(run), tool, subject: visible(subjectOf({ tool, input })), at });
    }
    calls.sort((left, right) => (left.at < right.at ? 1 : -1));
    return { rule, text: ruleText(rule), since, total: calls.length, calls: calls.slice(0, MOST_CALLS) };
  }

  /** Those in the file, and those that the log tells of. */
  async #known(): Promise<Grant[]> {
    const { hall, history } = this.#parts;
    const told = await history.grants();
    const open = hall.grants.list();
    const byId = new Map([...told, ...open].map((grant) => [grant.id, grant]));
    return [...byId.values()];
  }

  async #shown(grant: Grant): Promise<ShownGrant> {
    const { core, history } = this.#parts;
    const uses = await history.usesOf(grant.id);
    const since = new Date(core.clock().getTime() - RECENT_MS).toISOString();
    const [last] = uses;
    return {
      ...grant,
      text: ruleText(grant.rule),
      state: await this.#state(grant, uses.length),
      uses: uses.length,
      recentUses: uses.filter(({ at }) => at >= since).length,
      ...(last === undefined ? {} : { lastUsedAt: last.at }),
    };
  }

  /** One that is in neither the file nor an end in the log was removed by hand. */
  async #state(grant: Grant, uses: number): Promise<ShownGrant["state"]> {
    const { core, hall, history } = this.#parts;
    const { id, scope, runId } = grant;
    if (scope === "once" && uses > 0) return "used";
    if (await history.isRevoked(id)) return "revoked";
    if (isExpired(grant, core.clock()) || isOfEndedRun({ scope, run: core.runs.get(runId)?.run })) return "expired";
    return hall.grants.list().some((one) => one.id === id) ? "open" : "revoked";
  }
}

function isOfEndedRun({ scope, run }: { scope: Grant["scope"]; run: Run | undefined }): boolean {
  return (scope === "once" || scope === "run") && (run === undefined || isOver(run));
}

/** Whether it can't allow a call any more. */
export function isOverGrant(grant: Grant, { run, now }: { run: Run | undefined; now: Date }): boolean {
  return isExpired(grant, now) || isOfEndedRun({ scope: grant.scope, run });
}

function callsIn(entries: readonly JournalEntry[]) {
  return entries.flatMap((entry) =>
    entry.type === "answer" ? (entry.calls ?? []).map((call) => ({ ...call, at: entry.at })) : [],
  );
}

function placeOf({ id: runId, projectId, taskId }: Run) {
  return { runId, projectId, taskId };
}

function numberOf({ id }: Grant): number {
  return GRANT_ID.test(id) ? Number(id.slice("grant-".length)) : 0;
}
