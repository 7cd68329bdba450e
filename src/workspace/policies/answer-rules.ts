import { isSeq, parseDocument } from "yaml";
import {
  type AnswerRule,
  type AnswerRuleCreate,
  AnswerRules as AnswerRulesFile,
  type AnswerRuleUpdate,
} from "../../contract/documents/answer-rule.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Change } from "../change.ts";
import { byChange, type Core, commit, difference } from "../core.ts";
import { changedFile } from "../knowledge/document-writes.ts";
import { etagOf } from "../tasks/task-file.ts";
import type { Together } from "../together.ts";
import { untilUndisturbed } from "../undisturbed.ts";
import { PolicyFile } from "./policy-file.ts";

const ANSWERS_FILE = "policies/answers.yml";
const HEAD = "# Questions that are always answered the same way. Applies on save.\n";
const NO_RULES: AnswerRulesFile = { rules: [] };

/** "Always answer this way": the rules in policies/answers.yml, as they are there now. */
export class AnswerRules {
  readonly #core: Core;
  readonly #file: PolicyFile<typeof AnswerRulesFile>;

  constructor(core: Core) {
    this.#core = core;
    const words = "none of its rules apply until it is fixed";
    this.#file = new PolicyFile(core.files, { path: ANSWERS_FILE, schema: AnswerRulesFile, fallback: NO_RULES, words });
  }

  list(): AnswerRule[] {
    return this.#file.value().rules;
  }

  get(id: string): AnswerRule {
    const found = this.list().find((rule) => rule.id === id);
    if (found === undefined) throw new HallError("rule_not_found", `There is no answer rule '${id}'.`);
    return found;
  }

  problems(): Problem[] {
    return this.#file.problems();
  }

  add(body: AnswerRuleCreate, change: Change): Promise<AnswerRule> {
    return this.addTogether(body, change, async (rule, { events, writes, apply }) => {
      await commit(this.#core, events, apply, writes);
      return rule;
    });
  }

  /** For a rule that becomes durable in one change with something else, which `work` makes. */
  async addTogether<Result>(
    body: AnswerRuleCreate & { from?: string | undefined },
    change: Change,
    work: (rule: AnswerRule, together: Together) => Promise<Result>,
  ): Promise<Result> {
    const { projectId } = body;
    if (projectId !== undefined && this.#core.projects.status(projectId) === undefined)
      throw new HallError("project_not_found", `There is no project '${projectId}'.`);
    return this.#alone(() => {
      const { rules, lastId = 0 } = this.#readable();
      const number = Math.max(lastId, ...rules.map(({ id }) => Number(id.slice("rule-".length)))) + 1;
      const { from, ...fields } = body;
      const rule: AnswerRule = {
        id: `rule-${String(number).padStart(3, "0")}`,
        ...fields,
        ...(from === undefined ? {} : { from }),
        createdAt: this.#core.clock().toISOString(),
      };
      return work(rule, this.#edit({ type: "rule.created", after: rule }, { rule, number }, change));
    });
  }

  update(id: string, body: AnswerRuleUpdate, change: Change): Promise<AnswerRule> {
    return this.#alone(async () => {
      this.#readable();
      const before = this.get(id);
      const rule: AnswerRule = { ...before, ...defined(body) };
      const told = difference(before, rule);
      const { events, writes, apply } = this.#edit({ type: "rule.updated", ...told }, { rule }, change);
      await commit(this.#core, events, apply, writes);
      return rule;
    });
  }

  remove(id: string, change: Change): Promise<void> {
    return this.removeTogether(id, change, async ({ events, writes, apply }) => {
      await commit(this.#core, events, apply, writes);
    });
  }

  /** For a rule that is removed in one change with something else, which `work` makes. */
  removeTogether<Result>(id: string, change: Change, work: (together: Together) => Promise<Result>): Promise<Result> {
    return this.#alone(() => {
      this.#readable();
      const before = this.get(id);
      return work(this.#edit({ type: "rule.removed", before }, { removed: before }, change));
    });
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#core.locks.run(`file ${ANSWERS_FILE}`, () => untilUndisturbed(work));
  }

  /** A file that a person has broken is theirs to fix: what it holds would be lost. */
  #readable(): AnswerRulesFile {
    const [problem] = this.problems();
    if (problem !== undefined)
      throw new HallError("file_invalid", `'${ANSWERS_FILE}' can't be read: ${problem.reason}.`, {
        file: ANSWERS_FILE,
        line: problem.line,
      });
    return this.#file.value();
  }

  #edit(
    event: Pick<EventDraft, "type" | "before" | "after">,
    edit: { rule: AnswerRule; number?: number } | { removed: AnswerRule },
    change: Change,
  ): Together {
    const { files } = this.#core;
    const before = files.exists(ANSWERS_FILE) ? files.text(ANSWERS_FILE) : undefined;
    const content = edited(before ?? HEAD, edit);
    const { id, projectId } = "rule" in edit ? edit.rule : edit.removed;
    const draft: EventDraft = {
      ...byChange(change),
      ...event,
      ...(projectId === undefined ? {} : { projectId }),
      subject: { kind: "rule", id },
      file: ANSWERS_FILE,
      etag: etagOf(content),
    };
    return { events: [draft], writes: [changedFile(ANSWERS_FILE, content, before)], apply: () => undefined };
  }
}

/** The text with this change; comments and every other rule stay as they are. */
function edited(text: string, edit: { rule: AnswerRule; number?: number } | { removed: AnswerRule }): string {
  const document = parseDocument(text);
  const list = document.get("rules");
  if (!isSeq(list)) document.set("rules", document.createNode([]));
  const rules = document.toJS() as { rules: { id: string }[] };
  const { id } = "rule" in edit ? edit.rule : edit.removed;
  const at = rules.rules.findIndex((rule) => rule.id === id);
  if ("removed" in edit) document.deleteIn(["rules", at]);
  else if (at === -1) document.addIn(["rules"], document.createNode(edit.rule));
  else document.setIn(["rules", at], document.createNode(edit.rule));
  if ("rule" in edit && edit.number !== undefined) document.set("lastId", edit.number);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function defined(body: AnswerRuleUpdate): Partial<AnswerRule> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
