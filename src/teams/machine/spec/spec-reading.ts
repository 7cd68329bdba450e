import { TASK_PRIORITIES, type TaskPriority } from "../../../contract/documents/task-status.ts";
import {
  type AcceptanceCriterion,
  REQUIREMENT_ID,
  type Requirement,
  type TeamSpec,
} from "../../../contract/documents/teams/team-spec.ts";
import { CHECK_KINDS, type CheckKind } from "../../../contract/words/teams/team-words.ts";
import { trimBlankLines } from "../../../contract/words/text.ts";
import { commandParts } from "./command-text.ts";
import { type Field, SECTIONS } from "./spec-sections.ts";

export interface SpecFault {
  /** From 1. */
  line: number;
  /** What is wrong, and what to write instead. */
  reason: string;
}

const NO_REQUIREMENT = `This criterion belongs to no requirement. Put it below a heading such as "### REQ-001: …".`;
const NO_COMMAND = "A command is missing or has an open quote. Write (command: `npm test`).";
const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/;
const REQUIREMENT = /^(REQ-[^\s:(]+)\s*(?:\(([^)]*)\))?\s*[:.–—-]?\s*(.*)$/;
/** `(REQ-001.2, command: `npm test`)`, `(look)`. */
const CHECKED_BY = /\s*\((?:([^\s,()]+),\s*)?(test|look|command)(?::\s*`([^`]*)`)?\)$/;

type Draft = Omit<Requirement, "acceptance"> & { acceptance: (Omit<AcceptanceCriterion, "id"> & { id?: string })[] };

/** A text, line by line. */
export class SpecReading {
  readonly #before: TeamSpec;
  readonly #faults: SpecFault[] = [];
  readonly #requirements: { draft: Draft; line: number }[] = [];
  readonly #sections = new Map<Field, string[]>();
  #title: string | undefined;
  #open: "requirements" | Field | undefined;
  #isFenced = false;

  constructor(before: TeamSpec) {
    this.#before = before;
  }

  take(line: string, number: number): void {
    if (/^\s*(?:```|~~~)/.test(line)) this.#isFenced = !this.#isFenced;
    const [, marks = "", heading = ""] = (this.#isFenced ? null : HEADING.exec(line)) ?? [];
    if (marks !== "") this.#heading(marks.length, heading, number);
    else if (this.#open === "requirements") this.#criterion(line, number);
    else if (this.#open !== undefined) this.#sections.get(this.#open)?.push(line);
  }

  #heading(level: number, text: string, number: number): void {
    if (text.startsWith("REQ-")) {
      this.#requirement(text, number);
      return;
    }
    if (level === 1) this.#title ??= text;
    const field = SECTIONS.get(text.toLowerCase());
    this.#open = text.toLowerCase() === "requirements" ? "requirements" : field;
    if (field !== undefined && !this.#sections.has(field)) this.#sections.set(field, []);
  }

  #requirement(text: string, line: number): void {
    this.#open = "requirements";
    const [, id = "", priority, words = ""] = REQUIREMENT.exec(text) ?? [];
    const known = this.#before.requirements.find((one) => one.id === id);
    if (!REQUIREMENT_ID.test(id))
      this.#fault(line, `${id} is no valid id. Use REQ- and three digits, such as REQ-001.`);
    if (this.#requirements.some(({ draft }) => draft.id === id))
      this.#fault(line, `${id} is defined twice. Give one another id.`);
    if (words === "" && known === undefined) this.#fault(line, `${id} has no text. Write it after the colon.`);
    const level = TASK_PRIORITIES.find((one) => one === priority?.trim().toLowerCase());
    if (priority !== undefined && level === undefined)
      this.#fault(line, `"${priority}" is no priority. Use ${TASK_PRIORITIES.join(", ")}.`);
    const chosen: TaskPriority = level ?? known?.priority ?? "medium";
    const draft = { id, text: words === "" ? (known?.text ?? "") : words, priority: chosen, acceptance: [] };
    this.#requirements.push({ draft, line });
  }

  #criterion(line: string, number: number): void {
    const item = ITEM.exec(line)?.[1];
    const draft = this.#requirements.at(-1)?.draft;
    if (item === undefined) return;
    const found = CHECKED_BY.exec(item);
    const text = found === null ? item : item.slice(0, found.index).trimEnd();
    const [, id, kind = "test", written = ""] = found ?? [];
    const command = kind === "command" ? commandParts(written) : undefined;
    if (draft === undefined) this.#fault(number, NO_REQUIREMENT);
    else if (kind === "command" && (command === undefined || command.length === 0)) this.#fault(number, NO_COMMAND);
    else
      draft.acceptance.push({
        ...(id === undefined ? {} : { id }),
        text,
        kind: CHECK_KINDS.find((one): one is CheckKind => one === kind) ?? "test",
        ...(command === undefined ? {} : { command }),
      });
  }

  #fault(line: number, reason: string): void {
    this.#faults.push({ line, reason });
  }

  result(): { spec: unknown; faults: SpecFault[]; lines: number[] } {
    const faults = [...this.#faults];
    if (this.#requirements.length === 0)
      faults.push({ line: 1, reason: 'No requirements. Add one below "## Requirements", such as "### REQ-001: …".' });
    const taken = new Set<string>();
    const requirements = this.#requirements.map(({ draft, line }) => {
      const acceptance = this.#numbered(draft, taken);
      for (const { id } of acceptance)
        if (taken.has(id)) faults.push({ line, reason: `The criterion ${id} is defined twice. Give one another id.` });
        else taken.add(id);
      return { ...draft, acceptance };
    });
    const list = (field: Field) => (this.#sections.get(field) ?? []).flatMap((line) => ITEM.exec(line)?.[1] ?? []);
    const spec = {
      title: this.#title ?? this.#before.title,
      goals: list("goals"),
      nonGoals: list("nonGoals"),
      requirements,
      risks: list("risks"),
      definitionOfDone: list("definitionOfDone"),
      ...this.#text("current"),
      ...this.#text("expected"),
      ...this.#text("unchanged"),
    };
    return { spec, faults, lines: this.#requirements.map(({ line }) => line) };
  }

  /** Ids of criteria that were there before stay theirs. A requirement without criteria is one itself. */
  #numbered({ id, text, acceptance }: Draft, taken: ReadonlySet<string>): AcceptanceCriterion[] {
    const known = this.#before.requirements.find((one) => one.id === id)?.acceptance ?? [];
    const drafts = acceptance.length > 0 ? acceptance : [{ text, kind: "test" as const }];
    const used = new Set([...taken, ...drafts.flatMap((draft) => draft.id ?? [])]);
    let number = Math.max(0, ...[...known, ...drafts].map((one) => Number(/\.(\d+)$/.exec(one.id ?? "")?.[1] ?? 0)));
    return drafts.map((draft) => {
      const same = known.find((one) => one.text === draft.text && !used.has(one.id))?.id;
      const chosen = draft.id ?? same ?? `${id}.${++number}`;
      used.add(chosen);
      return { ...draft, id: chosen };
    });
  }

  #text(field: "current" | "expected" | "unchanged"): Partial<Record<typeof field, string>> {
    const lines = this.#sections.get(field);
    if (lines === undefined) return {};
    const text = trimBlankLines(lines.map((line) => line.replace(/^\\(\\*#)/, "$1")).join("\n"));
    return text === "" ? {} : { [field]: text };
  }
}
