import type { Escalation, EscalationStep } from "../../../../src/contract/documents/escalation.ts";
import type {
  AnswerScope,
  EscalationOutcome,
  EscalationType,
  SubjectKind,
} from "../../../../src/contract/documents/escalation-status.ts";
import type { Tone } from "../../ui/badge.tsx";

interface Kind {
  word: string;
  tone: Tone;
}

export const TYPE_WORDS: Record<EscalationType, Kind> = {
  decision: { word: "Decision", tone: "accent" },
  blocker: { word: "Blocker", tone: "bad" },
  question: { word: "Question", tone: "info" },
  approval: { word: "Approval", tone: "warn" },
};

const SUBJECT_WORDS: Record<SubjectKind, Kind> = {
  review: { word: "Review", tone: "accent" },
  failed: { word: "Failed", tone: "bad" },
  budget: { word: "Budget", tone: "warn" },
  provider: { word: "Provider", tone: "warn" },
  suspended: { word: "Suspended", tone: "warn" },
  problem: { word: "Unreadable file", tone: "bad" },
  skill: { word: "New skill", tone: "info" },
  instructions: { word: "New instructions", tone: "warn" },
  folder: { word: "Folder changed", tone: "warn" },
  damaged: { word: "Damaged repository", tone: "bad" },
};

/** What an entry is, in a word. */
export function kindOf({ type, subject }: Pick<Escalation, "type" | "subject">): Kind {
  return subject === undefined ? TYPE_WORDS[type] : SUBJECT_WORDS[subject.kind];
}

export const OUTCOME_WORDS: Record<EscalationOutcome, Kind> = {
  answered: { word: "Answered", tone: "good" },
  dismissed: { word: "Dismissed", tone: "neutral" },
  withdrawn: { word: "Withdrawn", tone: "neutral" },
  expired: { word: "Expired", tone: "warn" },
};

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
