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

/**
 * The prefix of a task: the one that its key begins with (`migrate-001`), of those that a session has role-specs for; else by what
 * the task is.
 */
export function prefixOf(task: Pick<PlannedTask, "key" | "type" | "domain">, known: readonly string[] = []): string {
  const named = known.filter((prefix) => task.key.startsWith(`${prefix.toLowerCase()}-`));
  return named[0] ?? responsibilityOf(task).prefix;
}

const LONGEST_ROLE = 50;

/** The name of the role-spec for tasks of a role and a prefix: `backend-implementer-impl`. */
export function roleSpecName(roleId: string, { prefix }: Pick<Responsibility, "prefix">): string {
  return `${roleId.slice(0, LONGEST_ROLE).replace(/[-_]+$/, "")}-${prefix.toLowerCase()}`;
}

interface Named {
  name: string;
  prefix: string;
}

/** Which role-spec of a session does a task: the only one of its prefix, or the one that is also named after its role. */
export function roleSpecFor(
  all: readonly Named[],
  { roleId, prefix }: { roleId: string; prefix: string },
): Named | undefined {
  const found = all.filter((one) => one.prefix === prefix);
  const own = roleSpecName(roleId, { prefix });
  return found.length > 1 ? found.find(({ name }) => name === own) : found[0];
}
