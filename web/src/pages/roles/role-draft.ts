import type { Role, RoleCreate, RoleUpdate } from "../../../../src/contract/documents/role.ts";
import { minutesOf, secondsOf } from "../../ui/text/minutes.ts";
import { BUILT_IN } from "../task/spawn/spawn-variables.ts";

/** A role as it stands in the form: every field is text. */
export interface Draft {
  id: string;
  name: string;
  emoji: string;
  description: string;
  specialty: string;
  model: string;
  thinking: "off" | "low" | "medium" | "high";
  /** Minutes. */
  timeout: string;
  temperature: string;
  maxTokens: string;
  skills: readonly string[];
  /** Tools that ask the person before each call. */
  ask: readonly string[];
  systemPromptTemplate: string;
  /** Those that the hall does not fill in by itself. */
  variables: string;
  /** Those that it does, which nobody has to name. */
  builtIn: readonly string[];
}

export const EMPTY: Draft = {
  id: "",
  name: "",
  emoji: "🤖",
  description: "",
  specialty: "",
  model: "default",
  thinking: "medium",
  timeout: "5",
  temperature: "",
  maxTokens: "",
  skills: ["read", "list", "search", "report"],
  ask: [],
  systemPromptTemplate: "",
  variables: "",
  builtIn: [],
};

export function draftOf(role: Omit<Role, "createdAt" | "updatedAt">): Draft {
  const { modelConfig } = role;
  return {
    id: role.id,
    name: role.name,
    emoji: role.emoji,
    description: role.description,
    specialty: role.specialty.join(", "),
    model: modelConfig.model,
    thinking: modelConfig.thinking,
    timeout: minutesOf(modelConfig.timeout),
    temperature: numberText(modelConfig.temperature),
    maxTokens: numberText(modelConfig.maxTokens),
    skills: role.skills,
    ask: role.ask ?? [],
    systemPromptTemplate: role.systemPromptTemplate,
    variables: role.variables.filter((name) => !BUILT_IN.has(name)).join(", "),
    builtIn: role.variables.filter((name) => BUILT_IN.has(name)),
  };
}

function numberText(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

/** The field that stops it from being saved, and why; the daemon says the rest. */
export function draftProblems(draft: Draft): Partial<Record<keyof Draft, string>> {
  const problems: Partial<Record<keyof Draft, string>> = {};
  if (draft.name.trim() === "") problems.name = "Enter a name.";
  if (secondsOf(draft.timeout) === undefined) problems.timeout = "Enter minutes, at most 1,440.";
  if (draft.temperature !== "" && !(Number(draft.temperature) >= 0 && Number(draft.temperature) <= 2))
    problems.temperature = "Enter a number from 0 to 2, or leave it empty.";
  if (draft.maxTokens !== "" && !isWhole(draft.maxTokens, 1, 10_000_000))
    problems.maxTokens = "Enter a whole number, or leave it empty.";
  if (!/^[\w.:-]+(?:\/[\w.:@-]+)*$/.test(draft.model.trim())) problems.model = "Enter default or provider/model.";
  return problems;
}

function isWhole(text: string, least: number, most: number): boolean {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most;
}

function wordsOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function sharedFields(draft: Draft) {
  return {
    name: draft.name.trim(),
    emoji: draft.emoji.trim() || EMPTY.emoji,
    description: draft.description,
    specialty: wordsOf(draft.specialty),
    skills: [...draft.skills],
    ask: [...draft.ask],
    systemPromptTemplate: draft.systemPromptTemplate,
    variables: [...new Set([...draft.builtIn, ...wordsOf(draft.variables)])],
  };
}

function modelOf(draft: Draft) {
  return { model: draft.model.trim(), thinking: draft.thinking, timeout: secondsOf(draft.timeout) ?? 0 };
}

export function createOf(draft: Draft): RoleCreate {
  const { temperature, maxTokens } = draft;
  return {
    ...sharedFields(draft),
    ...(draft.id.trim() === "" ? {} : { id: draft.id.trim() }),
    modelConfig: {
      ...modelOf(draft),
      ...(temperature === "" ? {} : { temperature: Number(temperature) }),
      ...(maxTokens === "" ? {} : { maxTokens: Number(maxTokens) }),
    },
  };
}

/** What was emptied is taken away. */
export function updateOf(draft: Draft): RoleUpdate {
  const { temperature, maxTokens } = draft;
  return {
    ...sharedFields(draft),
    modelConfig: {
      ...modelOf(draft),
      temperature: temperature === "" ? null : Number(temperature),
      maxTokens: maxTokens === "" ? null : Number(maxTokens),
    },
  };
}
