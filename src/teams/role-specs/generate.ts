import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import { PHASE_TEXTS, type PhaseText } from "./phase-texts.ts";

interface Wanted {
  /** The name of the role-spec. */
  name: string;
  prefix: string;
  type: ResponsibilityType;
  innerLoop: boolean;
}

/** The text of a role-spec, without asking a model. It passes the linter. */
export function generateRoleSpec({ name, prefix, type, innerLoop }: Wanted): string {
  const { phases, subagent, errors } = PHASE_TEXTS[type];
  return `---
role: ${name}
prefix: ${prefix}
inner_loop: ${innerLoop}
subagents: [${subagent}]
message_types:
  success: ${prefix.toLowerCase()}_complete
  error: error
---

# ${titleOf(name)} — Phase 2-4

${phases.map((phase, at) => phaseSection(phase, at + 2)).join("\n\n")}

## Error Handling

| Scenario | Resolution |
|----------|------------|
${errors.map(([scenario, resolution]) => `| ${scenario} | ${resolution} |`).join("\n")}
`;
}

function phaseSection({ name, inputs, text }: PhaseText, number: number): string {
  const table =
    inputs === undefined
      ? ""
      : `| Input | Source | Required |\n|-------|--------|----------|\n${inputs.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n\n`;
  return `## Phase ${number}: ${name}\n\n${table}${text}`;
}

function titleOf(name: string): string {
  return name
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
