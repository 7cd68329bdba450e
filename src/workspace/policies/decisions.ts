import { DEFAULT_DECISIONS, DecisionPolicy } from "../../contract/documents/decision-policy.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Files } from "../../store/files/files.ts";
import { PolicyFile } from "./policy-file.ts";

export const DECISIONS_FILE = "policies/decisions.yml";

/** What a new workspace starts with. */
export function decisionsText({ path, rules }: DecisionPolicy = DEFAULT_DECISIONS): string {
  return [
    "# Who decides what. Applies on save.",
    "# Who a question passes on its way to the person; the person is always the last.",
    `path: [${path.join(", ")}]`,
    "# agent: the agent that asks decides. main: the project agent or main agent answers from recorded facts, or sends it to you.",
    "# person: you decide.",
    "rules:",
    ...rules.map(({ id, decides, what }) => `  - { id: ${id}, decides: ${decides}, what: "${what}" }`),
    "",
  ].join("\n");
}

/** The tiers of decisions, as policies/decisions.yml has them now. */
export class Decisions {
  readonly #file: PolicyFile<typeof DecisionPolicy>;

  constructor(files: Files) {
    this.#file = new PolicyFile(files, { path: DECISIONS_FILE, schema: DecisionPolicy, fallback: DEFAULT_DECISIONS });
  }

  policy(): DecisionPolicy {
    return this.#file.value();
  }

  /** For prompts, a line for each tier. */
  text(): string {
    const { rules } = this.policy();
    const of = (tier: DecisionPolicy["rules"][number]["decides"]) =>
      rules.filter(({ decides }) => decides === tier).map(({ what }) => what);
    const line = (label: string, items: string[]) => (items.length === 0 ? [] : [`${label}: ${items.join("; ")}.`]);
    return [
      ...line("Decide yourself", of("agent")),
      ...line("Escalate", of("main")),
      ...line("Only the person decides", of("person")),
    ].join("\n");
  }

  problems(): Problem[] {
    return this.#file.problems();
  }
}
