/** What a member is responsible for; it decides the phases of its role-spec. */
export const RESPONSIBILITY_TYPES = [
  "orchestration",
  "code-gen-docs",
  "code-gen-code",
  "read-only",
  "validation",
] as const;
export type ResponsibilityType = (typeof RESPONSIBILITY_TYPES)[number];

/** Rules that a role-spec is linted against, by code. */
export const ROLE_SPEC_RULES = [
  "encoding",
  "frontmatter",
  "no-rights",
  "structure",
  "phases-2-to-4",
  "no-bus-calls",
  "no-consensus",
  "no-inner-loop",
  "length",
  "no-pseudocode",
  "placeholders",
  "subagents-by-name",
] as const;
export type RoleSpecRule = (typeof ROLE_SPEC_RULES)[number];
