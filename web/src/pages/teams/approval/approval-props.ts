import type { Team } from "../../../../../src/contract/documents/teams/team.ts";

export interface ApprovalProps {
  team: Team;
  what: "spec" | "plan";
  /** `page`: a and r are heard. */
  keys: "page" | "none";
  onDone?: (() => void) | undefined;
}
