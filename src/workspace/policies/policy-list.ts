import { isSeq, parseDocument } from "yaml";
import type { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft, Subject } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Change } from "../change.ts";
import { byChange, type Core } from "../core.ts";
import { changedFile } from "../knowledge/document-writes.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Together } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { PolicyFile } from "./policy-file.ts";

export interface PolicyEntry {
  /** `<prefix>-001` */
  id: string;
  projectId?: string | undefined;
}

interface Form<Entry, Key extends string> {
  path: string;
  /** The comment that a new file begins with. */
  head: string;
  /** The list in the file. */
  key: Key;
  prefix: Subject["kind"];
  schema: z.ZodType<{ lastId?: number | undefined } & Record<Key, Entry[]>>;
  /** What applies while the file is broken. */
  words: string;
}

type Edit<Entry> = { put: Entry; number?: number } | { removed: Entry };

/** Numbered entries in a YAML file of policies/, as they are there now. People edit the file too. */
export class PolicyList<Entry extends PolicyEntry, Key extends string> {
  readonly #core: Core;
  readonly #form: Form<Entry, Key>;
  readonly #file: PolicyFile<Form<Entry, Key>["schema"]>;

  constructor(core: Core, form: Form<Entry, Key>) {
    this.#core = core;
    this.#form = form;
    const { path, schema, words, key } = form;
    const fallback = { [key]: [] } as unknown as Record<Key, Entry[]>;
    this.#file = new PolicyFile(core.files, { path, schema, fallback, words });
  }

  list(): Entry[] {
    return this.#file.value()[this.#form.key];
  }

  find(id: string): Entry | undefined {
    return this.list().find((entry) => entry.id === id);
  }

  problems(): Problem[] {
    return this.#file.problems();
  }

  /** For a change of the file: one at a time, and tried again where a person edited it at the same moment. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { path } = this.#form;
    return this.#core.locks.run(`file ${path}`, () =>
      untilUndisturbed(() => {
        this.#assertReadable();
        return work();
      }),
    );
  }

  /** The id of the next entry. No id is used twice. */
  next(): { id: string; number: number } {
    const { prefix } = this.#form;
    const { lastId = 0 } = this.#file.value();
    const number = Math.max(lastId, ...this.list().map(({ id }) => Number(id.slice(prefix.length + 1)))) + 1;
    return { id: `${prefix}-${String(number).padStart(3, "0")}`, number };
  }

  /** One change of the file with the event that tells of it. */
  edit(event: Pick<EventDraft, "type" | "before" | "after">, edit: Edit<Entry>, change: Change): Together {
    return this.edits([{ event, edit }], change);
  }

  edits(
    changes: readonly { event: Pick<EventDraft, "type" | "before" | "after">; edit: Edit<Entry> }[],
    change: Change,
  ): Together {
    const { path, head, key, prefix } = this.#form;
    const { files } = this.#core;
    const before = files.exists(path) ? files.text(path) : undefined;
    const all = changes.map(({ edit }) => edit);
    const content = all.reduce((text, edit) => edited(text, edit, key), before ?? head);
    const events = changes.map(({ event, edit }): EventDraft => {
      const { id, projectId } = "put" in edit ? edit.put : edit.removed;
      return {
        ...byChange(change),
        ...event,
        ...(projectId === undefined ? {} : { projectId }),
        subject: { kind: prefix, id },
        file: path,
        etag: etagOf(content),
      };
    });
    return { events, writes: [changedFile(path, content, before)], apply: () => undefined };
  }

  /** A file that a person has broken is theirs to fix: what it holds would be lost. */
  #assertReadable(): void {
    const { path } = this.#form;
    const [problem] = this.problems();
    if (problem === undefined) return;
    throw new HallError("file_invalid", `'${path}' can't be read: ${problem.reason}.`, {
      file: path,
      line: problem.line,
    });
  }
}

/** The text with this change; comments and every other entry stay as they are. */
function edited<Entry extends PolicyEntry>(text: string, edit: Edit<Entry>, key: string): string {
  const document = parseDocument(text);
  if (!isSeq(document.get(key))) document.set(key, document.createNode([]));
  // An empty list is written as [], and what is added to it would end up on the same line.
  const list = document.get(key);
  if (isSeq(list) && list.items.length === 0) list.flow = false;
  const entries = (document.toJS() as Record<string, { id: string }[]>)[key] ?? [];
  const { id } = "put" in edit ? edit.put : edit.removed;
  const at = entries.findIndex((entry) => entry.id === id);
  if ("removed" in edit) document.deleteIn([key, at]);
  else if (at === -1) document.addIn([key], document.createNode(edit.put));
  else document.setIn([key, at], document.createNode(edit.put));
  if ("put" in edit && edit.number !== undefined) document.set("lastId", edit.number);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
