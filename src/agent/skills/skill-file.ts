import { SkillName } from "../../contract/documents/skill.ts";
import { line } from "../../contract/words/text.ts";
import { type Parsed, parseFrontmatter } from "../../store/markup/frontmatter.ts";

const Description = line(1_024);
const LONGEST_EXTRA = 500;
/** What nobody sees and a model reads: tags, directions, marks that are no text. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]|\p{Noncharacter_Code_Point}/u;
const KNOWN = new Set([
  ...["name", "description", "license", "compatibility", "allowed-tools"],
  ...["disable-model-invocation", "argument-hint"],
]);

/** What SKILL.md says. */
export interface SkillText {
  slug: string;
  description: string;
  body: string;
  license?: string;
  compatibility?: string;
  allowedTools: string[];
  onlyNamed: boolean;
  argumentHint?: string;
  other: Record<string, unknown>;
}

export type SkillTextOutcome = { ok: true; skill: SkillText } | { ok: false; line: number; reason: string };

/** Reads the text of a SKILL.md that stands in a folder of that name. Never throws. */
export function parseSkill(text: string, folder: string): SkillTextOutcome {
  const plain = text.replace(/^\ufeff/, "");
  const hidden = HIDDEN.exec(plain);
  if (hidden !== null) return { ok: false, line: lineAt(plain, hidden.index), reason: "it has invisible characters" };
  if (plain.includes("\0")) return { ok: false, line: lineAt(plain, plain.indexOf("\0")), reason: "it is not text" };
  const outcome = parseFrontmatter(plain);
  if (!outcome.ok) return outcome;
  return skillOf(outcome.parsed, folder);
}

function skillOf(parsed: Parsed, folder: string): SkillTextOutcome {
  const { data, body, lineOf } = parsed;
  const refuse = (key: string, reason: string) => ({
    ok: false as const,
    line: lineOf(key),
    reason: `${key}: ${reason}`,
  });
  const name = SkillName.safeParse(data.name);
  if (!name.success) return refuse("name", messageOf(data.name, name.error));
  if (name.data !== folder) return refuse("name", `must be '${folder}', like its folder`);
  const given = typeof data.description === "string" ? data.description.replace(/\s+/g, " ") : data.description;
  const description = Description.safeParse(given);
  if (!description.success) return refuse("description", messageOf(given, description.error));
  const skill = { slug: name.data, description: description.data, body: body.trim(), ...extrasOf(data) };
  return { ok: true, skill };
}

function extrasOf(data: Record<string, unknown>): Omit<SkillText, "slug" | "description" | "body"> {
  const license = extra(data.license);
  const compatibility = extra(data.compatibility);
  const argumentHint = extra(data["argument-hint"]);
  const hindered = data["disable-model-invocation"];
  return {
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(argumentHint === undefined ? {} : { argumentHint }),
    allowedTools: wordsOf(data["allowed-tools"]),
    // Whoever writes anything but false there means it.
    onlyNamed: hindered !== undefined && hindered !== null && hindered !== false,
    other: Object.fromEntries(Object.entries(data).filter(([key]) => !KNOWN.has(key))),
  };
}

/** People write `[file]` as a hint, which YAML takes for a list. */
function extra(value: unknown): string | undefined {
  const text = Array.isArray(value) ? `[${value.join(", ")}]` : value;
  const parsed = line(LONGEST_EXTRA).safeParse(typeof text === "string" ? text.replace(/\s+/g, " ") : undefined);
  return parsed.data;
}

/** Entries between commas or blanks; what stands in brackets stays together. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((entry) => typeof entry === "string").slice(0, 100);
  return typeof value === "string" ? (value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []).slice(0, 100) : [];
}

function messageOf(value: unknown, error: { issues: { message: string }[] }): string {
  if (value === undefined) return "is missing";
  return typeof value === "string" ? (error.issues[0]?.message ?? "is not valid") : "must be a text";
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
