import { readFileSync } from "node:fs";
import type { EscalationType } from "../../src/contract/documents/escalation-status.ts";

export interface ScriptedEscalation {
  id: string;
  question: string;
  answer: string;
  projectId: string;
  scope: "task" | "project" | "hall";
  taskId?: string;
  type: EscalationType;
  options: string[];
}

export interface ScriptedQuestion {
  text: string;
  projectId: string;
  taskId?: string;
  type: EscalationType;
  options: string[];
  /** The escalation whose answer it may reuse; undefined: none. */
  reuses: string | undefined;
}

export interface Half {
  escalations: ScriptedEscalation[];
  questions: ScriptedQuestion[];
}

/** Reads one half of the scripted questions; the format is described at the top of training.txt. */
export function readHalf(name: "training" | "held-out"): Half {
  const half: Half = { escalations: [], questions: [] };
  let project = "";
  for (const line of readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("## project ")) project = line.slice("## project ".length);
    else if (line.startsWith("? ")) half.escalations.push(escalationIn(line.slice(2), project));
    else if (line.startsWith("> ")) Object.assign(half.escalations.at(-1) ?? {}, { answer: line.slice(2) });
    else if (line.startsWith("= ") || line.startsWith("! "))
      half.questions.push(questionIn(line, project, half.escalations.at(-1)?.id));
  }
  return half;
}

/** Pairs of questions that differ in a way which matters. */
export function readKeptApart(): [string, string][] {
  return readFileSync(new URL("kept-apart.txt", import.meta.url), "utf8")
    .split("\n")
    .flatMap((line): [string, string][] => {
      const [one, other] = line.split(" | ");
      return one === undefined || other === undefined ? [] : [[one, other]];
    });
}

function escalationIn(line: string, projectId: string): ScriptedEscalation {
  const [id = ""] = line.split(" ", 1);
  const { text, attributes } = attributesIn(line.slice(id.length + 1));
  const { scope = "project", task, type = "decision", options } = attributes;
  return {
    id,
    question: text,
    answer: "",
    projectId,
    scope: scope as ScriptedEscalation["scope"],
    ...(task === undefined ? {} : { taskId: task }),
    type: type as EscalationType,
    options: options?.split("|") ?? [],
  };
}

function questionIn(line: string, own: string, escalationId: string | undefined): ScriptedQuestion {
  const { text, attributes } = attributesIn(line.slice(2));
  const { project: projectId = own, task, type = "decision", options } = attributes;
  return {
    text,
    projectId,
    ...(task === undefined ? {} : { taskId: task }),
    type: type as EscalationType,
    options: options?.split("|") ?? [],
    reuses: line.startsWith("=") ? escalationId : undefined,
  };
}

function attributesIn(line: string): { text: string; attributes: Record<string, string | undefined> } {
  const found = /^\{([^}]*)\} (.*)$/.exec(line);
  if (found === null) return { text: line, attributes: {} };
  const pairs = (found[1] ?? "").split(/ (?=\w+=)/).map((pair) => pair.split("=") as [string, string]);
  return { text: found[2] ?? "", attributes: Object.fromEntries(pairs) };
}
