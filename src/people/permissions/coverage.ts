import { type Grant, MOST_HOURS } from "../../contract/documents/permission.ts";
import { type CalledTool, execParts, isAllowedBy } from "./rule.ts";

const HOUR_MS = 3_600_000;
/** Clocks are corrected by a little all the time. */
const CLOCK_STEP_MS = 5 * 60_000;

/** A call and where it comes from. */
export interface PlacedCall extends CalledTool {
  projectId: string;
  roleId: string;
  runId: string;
  callId: string;
}

/**
 * The grants that together allow a call; undefined when they don't. The call that a grant was given for is allowed by it,
 * even where its rule was shortened or holds no secrets any more.
 */
export function coveringGrants(grants: readonly Grant[], call: PlacedCall, now: Date): Grant[] | undefined {
  const usable = grants.filter((grant) => isUsable(grant, call, now));
  const own = usable.find((grant) => isOwn(grant, call));
  if (own !== undefined) return [own];
  const others = usable.filter(({ scope }) => scope !== "once");
  const one = others.find(({ rule }) => isAllowedBy(rule, call));
  return one === undefined ? together(others, call) : [one];
}

/** Whether it is for such calls at all. */
function isUsable(grant: Grant, call: PlacedCall, now: Date): boolean {
  if (grant.rule.tool !== call.tool) return false;
  switch (grant.scope) {
    case "once":
      return isOwn(grant, call);
    case "run":
      return grant.runId === call.runId;
    case "hour":
      return isOfRole(grant, call) && !isExpired(grant, now);
    case "always":
      return isOfRole(grant, call);
  }
}

/** One that was given in the future is over as well: the clock was set back, and nobody knows how long it has lasted. */
export function isExpired({ scope, createdAt, expiresAt }: Grant, now: Date): boolean {
  if (scope !== "hour") return false;
  const passed = now.getTime() - Date.parse(createdAt);
  const isOfNow = passed >= -CLOCK_STEP_MS && passed < MOST_HOURS * HOUR_MS;
  return !isOfNow || expiresAt === undefined || Date.parse(expiresAt) <= now.getTime();
}

function isOwn(grant: Grant, { runId, callId }: PlacedCall): boolean {
  return grant.runId === runId && grant.callId === callId;
}

function isOfRole(grant: Grant, { projectId, roleId }: PlacedCall): boolean {
  return grant.projectId === projectId && grant.roleId === roleId;
}

/** The parts of a compound command may each have been allowed at another time. */
function together(grants: readonly Grant[], call: PlacedCall): Grant[] | undefined {
  const parts = execParts(call);
  if (parts === undefined) return undefined;
  const found = parts.map((part) => grants.find(({ rule }) => rule.commands?.includes(part)));
  return found.every((grant) => grant !== undefined) ? [...new Set(found)] : undefined;
}
