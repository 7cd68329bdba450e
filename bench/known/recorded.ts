import { HallError } from "../../src/contract/errors.ts";
import type { AskedQuestion } from "../../src/people/known/known-answers.ts";
import { RecordedAnswers } from "../../src/people/known/recorded-answers.ts";
import type { StoredEscalation } from "../../src/workspace/escalations/escalations.ts";
import type { Half, ScriptedEscalation, ScriptedQuestion } from "./questions.ts";

const DAY = "2026-11-16T12:00:00.000Z";

/** Recorded answers over these escalations, without files. */
export function recordedAnswers(escalations: readonly StoredEscalation[]): RecordedAnswers {
  const pageSize = Math.max(1, escalations.length);
  return new RecordedAnswers({
    escalations: {
      list: () => ({ escalations: [...escalations], invalid: [], total: pageSize }),
      get: async (id) => {
        const found = escalations.find((one) => one.id === id);
        if (found === undefined) throw new HallError("escalation_not_found", "There is no such escalation.");
        return found;
      },
      open: () => [],
    },
    rules: () => NO_RULES,
    events: { subscribe: () => () => undefined },
    core: { files: NO_FILES, projects: NO_PROJECTS },
    knowledge: { list: () => ({ statements: [], total: 0 }) },
  });
}

const NO_RULES: never[] = [];
const NO_FILES = { stamp: () => undefined };
const NO_PROJECTS = { get: () => undefined, status: () => "active" as const };

export function storedEscalation(of: ScriptedEscalation): StoredEscalation {
  const { id, question, answer, projectId, scope, taskId, type, options } = of;
  return {
    id,
    type,
    origin: "agent",
    projectId,
    question,
    context: "",
    suggestedAnswers: options.map((label) => ({ label, description: "" })),
    escalatedBy: "run:one",
    escalationPath: ["run:one", "person"],
    history: [],
    askers: [],
    priority: "medium",
    blocksTask: taskId ?? null,
    blocksInitiative: false,
    createdAt: DAY,
    updatedAt: DAY,
    status: "resolved",
    outcome: "answered",
    resolution: answer,
    answer: null,
    resolvedBy: "person",
    resolvedAt: DAY,
    scope,
    sources: [],
    replaces: [],
    reminders: 0,
    path: `escalations/resolved/${id}.json`,
    etag: id,
  };
}

export function askedQuestion({ text, projectId, taskId, type, options }: ScriptedQuestion): AskedQuestion {
  return { text, projectId, taskId, type, suggestedAnswers: options.map((label) => ({ label, description: "" })) };
}

export interface Reuse {
  right: number;
  /** Of those that could have been reused. */
  of: number;
  questions: number;
  missed: string[];
  wrong: string[];
}

/** What becomes of each question of a half when its escalations are recorded. */
export async function reuseIn({ escalations, questions }: Half): Promise<Reuse> {
  const known = recordedAnswers(escalations.map(storedEscalation));
  const reuse: Reuse = { right: 0, of: 0, questions: questions.length, missed: [], wrong: [] };
  for (const question of questions) {
    const found = await known.lookup(askedQuestion(question));
    const id = found?.kind === "known" ? found.citation.id : undefined;
    if (question.reuses !== undefined) reuse.of++;
    if (id !== undefined && id === question.reuses) reuse.right++;
    else if (id !== undefined) reuse.wrong.push(`${question.text} (${id})`);
    else if (question.reuses !== undefined) reuse.missed.push(question.text);
  }
  known.close();
  return reuse;
}
