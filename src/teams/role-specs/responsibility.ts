import type { PlannedTask } from "../../contract/documents/teams/team-plan.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";

/** What a task is, for its role-spec. */
export interface Responsibility {
  type: ResponsibilityType;
  prefix: string;
}

/** The type of task comes first, then the domain. */
export function responsibilityOf({ type, domain }: Pick<PlannedTask, "type" | "domain">): Responsibility {
  switch (type) {
    case "test":
      return { type: "validation", prefix: "TEST" };
    case "docs":
      return { type: "code-gen-docs", prefix: "DRAFT" };
    case "planning":
      return { type: "orchestration", prefix: "PLAN" };
    case "review":
      return { type: "read-only", prefix: "ANALYSIS" };
    case "research":
    case "search":
    case "explore":
      return { type: "orchestration", prefix: "RESEARCH" };
    default:
      return byDomain(domain, type === "other");
  }
}

function byDomain(domain: PlannedTask["domain"], isOther: boolean): Responsibility {
  switch (domain) {
    case "ux_design":
      return { type: "code-gen-code", prefix: "DESIGN" };
    case "research":
    case "search":
      return { type: "orchestration", prefix: "RESEARCH" };
    case "review":
      return { type: "read-only", prefix: "ANALYSIS" };
    default:
      return domain === "other" && isOther
        ? { type: "orchestration", prefix: "TASK" }
        : { type: "code-gen-code", prefix: "IMPL" };
  }
}

const LONGEST_ROLE = 50;

/** The name of the role-spec for tasks of a role and a prefix: `backend-implementer-impl`. */
export function roleSpecName(roleId: string, { prefix }: Responsibility): string {
  return `${roleId.slice(0, LONGEST_ROLE).replace(/[-_]+$/, "")}-${prefix.toLowerCase()}`;
}
