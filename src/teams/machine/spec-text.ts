import { type AcceptanceCriterion, type Requirement, TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { TEAM_LIMITS } from "../../contract/words/teams/team-words.ts";
import { withoutReturns } from "../../contract/words/text.ts";
import { commandText } from "./spec/command-text.ts";
import { type SpecFault, SpecReading } from "./spec/spec-reading.ts";
import { LISTS, TEXTS } from "./spec/spec-sections.ts";

export type ReadSpec = { spec: TeamSpec } | { faults: SpecFault[] };

/**
 * Reads `spec.md` after a person edited it. Sections that the hall does not know are passed over: the file keeps them. A
 * criterion without an id gets the next one, one without a kind is checked by a test; what the text leaves open stays as `before`.
 */
export function parseSpecText(text: string, before: TeamSpec): ReadSpec {
  const reading = new SpecReading(before);
  for (const [at, line] of text.split("\n").entries()) reading.take(withoutReturns(line), at + 1);
  const { spec, faults, lines } = reading.result();
  if (text.length > TEAM_LIMITS.specCharacters * 2) faults.unshift({ line: 1, reason: TOO_LONG });
  if (faults.length > 0) return { faults };
  const checked = TeamSpec.safeParse(spec);
  if (checked.success) return { spec: checked.data };
  return {
    faults: checked.error.issues.map(({ path, message }) => {
      const [field, at] = path;
      const line = field === "requirements" && typeof at === "number" ? lines[at] : 1;
      return { line: line ?? 1, reason: `${path.join(".")} ${message}` };
    }),
  };
}

const TOO_LONG = `The spec is longer than ${TEAM_LIMITS.specCharacters * 2} characters. Shorten it.`;
/** `spec.md`, for people to read and edit; `parseSpecText` reads it back. */
export function renderSpec(spec: TeamSpec): string {
  const texts = TEXTS.flatMap(([field, heading]) => {
    const text = spec[field];
    return text === undefined || text === "" ? [] : [section(heading, text.replaceAll(/^(\\*#)/gm, "\\$1"))];
  });
  const [goals, nonGoals, risks, done] = LISTS.map(([field, heading]) => listed(heading, spec[field]));
  const requirements = section("Requirements", spec.requirements.map(requirementText).join("\n\n"));
  const parts = [`# ${spec.title}`, ...texts, goals, nonGoals, requirements, risks, done];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

const section = (heading: string, text: string) => `## ${heading}\n\n${text}`;

function listed(heading: string, items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : section(heading, items.map((item) => `- ${item}`).join("\n"));
}

function requirementText({ id, text, priority, acceptance }: Requirement): string {
  return `### ${id} (${priority}): ${text}\n\n${acceptance.map(criterionText).join("\n")}`;
}

function criterionText({ id, text, kind, command }: AcceptanceCriterion): string {
  const how = command === undefined ? kind : `${kind}: \`${commandText(command)}\``;
  return `- ${text} (${id}, ${how})`;
}

/** What a new spec changes, such as "REQ-002 removed". */
export function specChanges(before: TeamSpec, after: TeamSpec): string[] {
  const [old, now] = [byId(before), byId(after)];
  const requirements = [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((id) => {
    if (!old.has(id)) return [`${id} added`];
    if (!now.has(id)) return [`${id} removed`];
    return old.get(id) === now.get(id) ? [] : [`${id} changed`];
  });
  const others = [...LISTS, ...TEXTS, ["title", "Title"] as const]
    .filter(([field]) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map(([, heading]) => `${heading} changed`);
  return [...requirements, ...others];
}

function byId({ requirements }: TeamSpec): Map<string, string> {
  return new Map(requirements.map((requirement) => [requirement.id, requirementText(requirement)]));
}
