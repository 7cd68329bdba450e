import type { SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { Attention, RunLine } from "../../contract/now.ts";
import type { Hint } from "../../contract/words/hint.ts";
import type { Versioned } from "../../workspace/escalations/queue-notes.ts";

/** Something that needs the person, as far as an entry is made of it. */
export interface Subject extends Versioned {
  kind: SubjectKind;
  /** Of the run, the project, the file or the skill. */
  of: string;
  projectId?: string | undefined;
  title: string;
  detail: string;
  hint?: string | undefined;
  hintAction?: Hint | undefined;
  at?: string | undefined;
  run?: RunLine | undefined;
}

/** From what Now shows. */
export function subjectOf({
  id,
  version,
  kind,
  attention,
}: Versioned & { kind: SubjectKind; attention: Attention }): Subject {
  const { kind: _, id: of, ...told } = attention;
  return { id, version, kind, of, ...told };
}

export function reviewSubject({ id, version, run }: Versioned & { run: RunLine }): Subject {
  const { projectId, title, endedAt, createdAt, delivery } = run;
  const detail = delivery?.reasonCode === "required" ? "" : asSentence(delivery?.reason ?? "");
  return { id, version, kind: "review", of: run.id, projectId, title, detail, at: endedAt ?? createdAt, run };
}

function asSentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
