import type { Escalation, EscalationStep } from "../../../../src/contract/documents/escalation.ts";
import type {
  AnswerScope,
  EscalationOutcome,
  EscalationType,
  SubjectKind,
} from "../../../../src/contract/documents/escalation-status.ts";
import { PERMISSION_WORD, SUBJECT_WORDS, TYPE_WORDS } from "../../../../src/contract/words/queue-words.ts";
import type { Tone } from "../../ui/badge.tsx";
import { answeredWords } from "./permission/permission-words.ts";
import { shortened } from "./shortened.ts";

interface Kind {
  word: string;
  tone: Tone;
}

const TYPE_TONES: Record<EscalationType, Tone> = {
  decision: "accent",
  blocker: "bad",
  question: "info",
  approval: "warn",
};

const SUBJECT_TONES: Record<SubjectKind, Tone> = {
  review: "accent",
  failed: "bad",
  budget: "warn",
  provider: "warn",
  suspended: "warn",
  problem: "bad",
  skill: "info",
  instructions: "warn",
  folder: "warn",
  damaged: "bad",
};

const PERMISSION: Kind = { word: PERMISSION_WORD, tone: "warn" };

/** What an entry is, in a word. */
export function kindOf(escalation: Escalation): Kind {
  const { type, subject } = escalation;
  if (escalation.permission !== undefined) return PERMISSION;
  if (subject === undefined) return { word: TYPE_WORDS[type], tone: TYPE_TONES[type] };
  return { word: SUBJECT_WORDS[subject.kind], tone: SUBJECT_TONES[subject.kind] };
}

export const OUTCOME_WORDS: Record<EscalationOutcome, Kind> = {
  answered: { word: "Answered", tone: "good" },
  dismissed: { word: "Dismissed", tone: "neutral" },
  withdrawn: { word: "Withdrawn", tone: "neutral" },
  expired: { word: "Expired", tone: "warn" },
};

/** What was decided, in one line; empty where there are no words. */
export function decidedText(escalation: Escalation): string {
  const { answer, resolution } = escalation;
  if (answer !== null && escalation.permission !== undefined) return answeredWords(answer);
  return answer ?? resolution ?? "";
}

/** How an entry ended, in one line. */
export function outcomeText(escalation: Escalation): string {
  const { word } = OUTCOME_WORDS[escalation.outcome ?? "answered"];
  const said = shortened(decidedText(escalation), 60);
  return said === "" ? word : `${word}: ${said}`;
}

export const STEP_WORDS: Record<EscalationStep["action"], string> = {
  asked: "asked",
  joined: "asked the same question",
  promoted: "sent it to you",
  passed: "passed it on",
  answered: "answered",
  dismissed: "dismissed it",
  withdrawn: "withdrew it",
  expired: "applied the default",
  reopened: "reopened it",
  snoozed: "snoozed it",
  handed: "let an agent decide",
  reminded: "sent a reminder",
  edited: "edited the file",
};

export const SCOPE_WORDS: Record<AnswerScope, string> = {
  task: "This task",
  project: "This project",
  hall: "All projects",
};

/** Who did something, apart: `run:<id>`, `project:<id>`, `client:<name>`, `main`, `person` or `hall`. */
export function partyIn(by: string): { kind: string; id: string } {
  const at = by.indexOf(":");
  return at < 0 ? { kind: by, id: "" } : { kind: by.slice(0, at), id: by.slice(at + 1) };
}
