import { isDeepStrictEqual } from "node:util";
import { isMap, parseDocument } from "yaml";
import type { Budget, BudgetUpdate } from "../contract/documents/budget.ts";
import type { Config } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import type { Problem } from "../contract/problem.ts";
import type { Files } from "../store/files/files.ts";
import type { Change } from "./change.ts";
import { CONFIG_FILE, loadConfig, readConfig } from "./config-file.ts";
import { byChange, type Core, commit, difference } from "./core.ts";

const CHANGED = "config.yml was changed after the daemon started; restart it for all but budget to count";

/** The hall's limits, as config.yml has them at the moment. Of all its settings these alone do not wait for a restart. */
export class BudgetSettings {
  readonly #core: Core;
  #current: Budget;
  #seen: string;
  #problem: string | undefined;
  /** What the daemon works with until it is started anew. */
  readonly #others: Omit<Config, "budget">;
  #isChanged = false;

  constructor(core: Core, { budget, ...others }: Config) {
    this.#core = core;
    this.#current = budget;
    this.#others = others;
    this.#seen = stateOf(core.files);
  }

  /** A file that cannot be read leaves the limits as they were. */
  current(): Budget {
    const state = stateOf(this.#core.files);
    if (state === this.#seen) return this.#current;
    this.#seen = state;
    try {
      const { budget, ...others } = loadConfig(this.#core.files);
      this.#current = budget;
      this.#isChanged = !isDeepStrictEqual(others, this.#others);
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      this.#problem = error.message;
    }
    return this.#current;
  }

  /** Whether something in config.yml counts only after a restart. */
  needsRestart(): boolean {
    this.current();
    return this.#isChanged;
  }

  /** What keeps something in config.yml from being used. */
  problems(): Problem[] {
    this.current();
    const reasons = [
      ...(this.#problem === undefined ? [] : [`${this.#problem} The limits stay as they were until it is mended.`]),
      ...(this.#isChanged ? [CHANGED] : []),
    ];
    return reasons.map((reason) => ({ file: CONFIG_FILE, kind: "config", severity: "warning", reason }));
  }

  /** Writes what the change names into config.yml and leaves every other line. */
  async update(update: BudgetUpdate, change: Change): Promise<Budget> {
    const { files, locks } = this.#core;
    return locks.run("config", async () => {
      const before = loadConfig(files).budget;
      const text = files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "";
      const content = withLimits(text, update);
      const after = readConfig(content).budget;
      const draft = {
        type: "budget.changed" as const,
        ...byChange(change),
        subject: { kind: "workspace" as const, id: "budget" },
        ...difference(before, after),
      };
      await commit(this.#core, draft, () => undefined, [{ kind: "put", path: CONFIG_FILE, content }]);
      return this.current();
    });
  }
}

function stateOf(files: Files): string {
  const stamp = files.stamp(CONFIG_FILE);
  return stamp === undefined ? "" : `${stamp.mtime} ${stamp.size} ${stamp.inode}`;
}

function withLimits(text: string, update: BudgetUpdate): string {
  const document = parseDocument(text);
  if (!isMap(document.get("budget"))) document.set("budget", document.createNode({}));
  for (const [key, value] of Object.entries(update)) if (value !== undefined) document.setIn(["budget", key], value);
  return document.toString();
}
