import {
  type AnswerRule,
  type AnswerRuleCreate,
  AnswerRules as AnswerRulesFile,
  type AnswerRuleUpdate,
} from "../../contract/documents/answer-rule.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Change } from "../change.ts";
import { type Core, commit, difference } from "../core.ts";
import type { Together } from "../together.ts";
import { PolicyList } from "./policy-list.ts";

/** "Always answer this way": the rules in policies/answers.yml, as they are there now. */
export class AnswerRules {
  readonly #core: Core;
  readonly #rules: PolicyList<AnswerRule, "rules">;

  constructor(core: Core) {
    this.#core = core;
    this.#rules = new PolicyList(core, {
      path: "policies/answers.yml",
      head: "# Questions that are always answered the same way. Applies on save.\n",
      key: "rules",
      prefix: "rule",
      schema: AnswerRulesFile,
      words: "none of its rules apply until it is fixed",
    });
  }

  list(): AnswerRule[] {
    return this.#rules.list();
  }

  get(id: string): AnswerRule {
    const found = this.#rules.find(id);
    if (found === undefined) throw new HallError("rule_not_found", `There is no answer rule '${id}'.`);
    return found;
  }

  problems(): Problem[] {
    return this.#rules.problems();
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
    return this.#rules.alone(() => {
      const { id, number } = this.#rules.next();
      const { from, ...fields } = body;
      const createdAt = this.#core.clock().toISOString();
      const rule: AnswerRule = { id, ...fields, ...(from === undefined ? {} : { from }), createdAt };
      return work(rule, this.#rules.edit({ type: "rule.created", after: rule }, { put: rule, number }, change));
    });
  }

  update(id: string, body: AnswerRuleUpdate, change: Change): Promise<AnswerRule> {
    return this.#rules.alone(async () => {
      const before = this.get(id);
      const rule: AnswerRule = { ...before, ...defined(body) };
      const event = { type: "rule.updated" as const, ...difference(before, rule) };
      const { events, writes, apply } = this.#rules.edit(event, { put: rule }, change);
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
    return this.#rules.alone(() => {
      const before = this.get(id);
      return work(this.#rules.edit({ type: "rule.removed", before }, { removed: before }, change));
    });
  }
}

function defined(body: AnswerRuleUpdate): Partial<AnswerRule> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
