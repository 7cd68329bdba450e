import { z } from "zod";
import { ModelOverride, type Role, RoleCreate } from "../../contract/documents/role.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import { splitFence } from "../../store/markup/fence.ts";
import { parseFrontmatter, renderFrontmatter } from "../../store/markup/frontmatter.ts";
import { toolsFrom, toolsTo } from "../agent-tools.ts";
import { describeIssue } from "../hall/issues.ts";
import { dropUndefined } from "../tasks/task-file.ts";

/** The value of this variable is two opening braces: with it, a prompt can hold what would be a variable otherwise. */
export const BRACES = "braces";
const VARIABLE = /\{\{([A-Za-z][A-Za-z0-9_]{0,63})\}\}/g;
const SPELLED_BRACES = `{{${BRACES}}}`;
/** A word, or some in a row or a list, which YAML and a person read alike. */
const PLAIN = /^(?:[\w ,.:/()*-]*|\[[\w ,.:/()*-]*\])$/;
/** Without a list of tools, an agent there has all of them; here it gets what does no harm. */
const LEAST = ["read"];
/** What only our own roles have; other tools pass over keys they do not know. */
const Own = RoleCreate.pick({
  name: true,
  emoji: true,
  specialty: true,
  skills: true,
  ask: true,
  variables: true,
}).extend({
  modelConfig: ModelOverride.optional(),
  /** The prompt has variables of ours in it. */
  template: z.literal(true).optional(),
});

/** A sub-agent's file of Claude Code: frontmatter, then its system prompt. */
export interface AgentFile {
  /** The name field, which need not be an id. */
  name: string;
  role: RoleCreate;
  /** `sonnet`, `opus`, `haiku`, `inherit` or a model's name; absent when the file says it in our own words. */
  model?: string;
  notes: string[];
}

export type AgentFileOutcome = { ok: true; file: AgentFile } | { ok: false; line: number; reason: string };

/** Never throws. */
export function parseAgentFile(text: string): AgentFileOutcome {
  const parsed = readLoosely(text);
  if (!parsed.ok) return parsed;
  const { data, lineOf } = parsed;
  const refuse = (key: string, reason: string) => ({
    ok: false as const,
    line: lineOf(key),
    reason: `${key}: ${reason}`,
  });
  if (typeof data.name !== "string" || data.name.trim() === "") return refuse("name", "is missing");
  const own = Own.safeParse(data.guildhall ?? {}, { error: plainWords });
  if (!own.success) return refuse("guildhall", describeIssue(own.error, data.guildhall).reason);
  const { tools, notes } = toolsIn(data);
  const role = roleOf(parsed, own.data, tools);
  const checked = RoleCreate.safeParse(role, { error: plainWords });
  if (!checked.success) return { ok: false, line: 1, reason: describeIssue(checked.error, role).reason };
  const file = { name: data.name.trim(), role: checked.data, notes: own.data.skills === undefined ? notes : [] };
  if (own.data.modelConfig !== undefined) return { ok: true, file };
  return { ok: true, file: { ...file, model: typeof data.model === "string" ? data.model.trim() : "inherit" } };
}

function roleOf({ data, body }: Loose, { template, ...own }: z.infer<typeof Own>, tools: string[]): RoleCreate {
  const prompt = body.trim();
  return {
    name: String(data.name).trim(),
    description: typeof data.description === "string" ? data.description : "",
    skills: [...tools, ...wordsOf(data.skills)],
    systemPromptTemplate: template === true ? prompt : literal(prompt),
    variables: [],
    ...dropUndefined(own),
  };
}

export function renderAgentFile(role: Role): { text: string; notes: string[] } {
  const { tools, others } = toolsTo(role.skills);
  const { id, name, emoji, specialty, skills, ask, variables, modelConfig, description, systemPromptTemplate } = role;
  const used = new Set([...systemPromptTemplate.matchAll(VARIABLE)].map(([whole]) => whole));
  used.delete(SPELLED_BRACES);
  const isTemplate = used.size > 0;
  const frontmatter = renderFrontmatter({
    name: id,
    description,
    tools: tools.join(", "),
    model: aliasOf(modelConfig.model),
    guildhall: {
      ...{ name, emoji, specialty, skills, variables, modelConfig },
      ...(ask === undefined ? {} : { ask }),
      ...(isTemplate ? { template: true } : {}),
    },
  });
  const prompt = isTemplate ? systemPromptTemplate : systemPromptTemplate.replaceAll(SPELLED_BRACES, "{{");
  return {
    text: `${frontmatter}\n${prompt}\n`,
    notes: [
      ...(others.length === 0 ? [] : [`Other tools have no equivalent for ${others.join(", ")}.`]),
      ...(isTemplate ? [`Other tools do not fill in ${[...used].join(", ")}.`] : []),
    ],
  };
}

/** A text as a template that comes out as it is. */
function literal(text: string): string {
  return text.replace(VARIABLE, (whole) => `${SPELLED_BRACES}${whole.slice(2)}`);
}

function aliasOf(model: string): string {
  return /(?:^|\/)claude-.*?(opus|sonnet|haiku)/.exec(model)?.[1] ?? "inherit";
}

function toolsIn({ tools }: Record<string, unknown>): { tools: string[]; notes: string[] } {
  if (tools !== undefined && tools !== null) return toolsFrom(wordsOf(tools));
  return {
    tools: LEAST,
    notes: [`The file lists no tools, which means all tools there; here the role gets ${LEAST.join(", ")}.`],
  };
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === "string");
  return typeof value === "string" ? (value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []) : [];
}

interface Loose {
  ok: true;
  data: Record<string, unknown>;
  body: string;
  lineOf(key: string): number;
}

/** Descriptions are often written as they are spoken, with colons, which is no YAML. Such a line is taken as it stands. */
function readLoosely(text: string): Loose | { ok: false; line: number; reason: string } {
  const outcome = parseFrontmatter(text);
  if (outcome.ok) return { ok: true, ...outcome.parsed };
  const fenced = splitFence(text);
  if (!fenced.ok) return outcome;
  const lines = fenced.source.trimEnd().split(/\r?\n/);
  const data: Record<string, unknown> = {};
  for (const line of lines) {
    const [, key, value] = /^(name|description|tools|model|color|skills|permissionMode):[ \t]*(.*)$/.exec(line) ?? [];
    const isSpoken = key === "description";
    if (key === undefined || value === undefined || Object.hasOwn(data, key)) return outcome;
    if (!isSpoken && !PLAIN.test(value)) return outcome;
    data[key] = isSpoken ? value : value.replace(/^\[(.*)\]$/, "$1");
  }
  const lineOf = (key: string) => 2 + lines.findIndex((line) => line.startsWith(`${key}:`));
  return { ok: true, data, body: text.slice(fenced.body), lineOf };
}
