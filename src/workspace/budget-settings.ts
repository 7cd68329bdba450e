import { isDeepStrictEqual } from "node:util";
import { isMap, parseDocument } from "yaml";
import type { Budget, BudgetUpdate } from "../contract/documents/budget.ts";
import type { Config, Price } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import type { Problem } from "../contract/problem.ts";
import type { Files } from "../store/files/files.ts";
import type { Change } from "./change.ts";
import { CONFIG_FILE, loadConfig, readConfig } from "./config-file.ts";
import { byChange, type Core, commit, difference } from "./core.ts";

const CHANGED =
  "config.yml changed after the daemon started. Restart the daemon to apply everything but budget and prices";

type Prices = Config["models"]["prices"];

/** Limits and prices, as config.yml has them at the moment. They take effect without a restart. */
export class BudgetSettings {
  readonly #core: Core;
  #current: Budget;
  #prices: Prices;
  #seen: string;
  #problem: string | undefined;
  /** What the daemon works with until it is started anew. */
  readonly #others: unknown;
  #isChanged = false;

  constructor(core: Core, config: Config) {
    this.#core = core;
    this.#current = config.budget;
    this.#prices = config.models.prices;
    this.#others = othersIn(config);
    this.#seen = stateOf(core.files);
  }

  /** A file that cannot be read leaves the limits as they were. */
  current(): Budget {
    const state = stateOf(this.#core.files);
    if (state === this.#seen) return this.#current;
    this.#seen = state;
    try {
      const config = loadConfig(this.#core.files);
      this.#current = config.budget;
      this.#prices = config.models.prices;
      this.#isChanged = !isDeepStrictEqual(othersIn(config), this.#others);
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      this.#problem = error.message;
    }
    return this.#current;
  }

  /** Of models, where config.yml names them. */
  prices(): Prices {
    this.current();
    return this.#prices;
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
  update(update: BudgetUpdate, change: Change): Promise<Budget> {
    const named = Object.entries(update).filter(([, value]) => value !== undefined);
    return this.#write(
      named.map(([key, value]) => ({ path: ["budget", key], value })),
      change,
    );
  }

  /** The same for the price of a model. */
  async setPrice(model: string, price: Price, change: Change): Promise<void> {
    await this.#write([{ path: ["models", "prices", model], value: price }], change);
  }

  #write(settings: readonly Setting[], change: Change): Promise<Budget> {
    const { files, locks } = this.#core;
    return locks.run("config", async () => {
      const before = toldOf(loadConfig(files));
      const text = files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "";
      const content = withSettings(text, settings);
      const after = toldOf(readConfig(content));
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

interface Setting {
  path: string[];
  value: unknown;
}

function toldOf({ budget, models: { prices } }: Config) {
  return { ...budget, ...(Object.keys(prices).length === 0 ? {} : { prices }) };
}

function othersIn({ budget: _, models: { prices: __, ...models }, ...others }: Config): unknown {
  return { ...others, models };
}

function stateOf(files: Files): string {
  const stamp = files.stamp(CONFIG_FILE);
  return stamp === undefined ? "" : `${stamp.mtime} ${stamp.size} ${stamp.inode}`;
}

function withSettings(text: string, settings: readonly Setting[]): string {
  const document = parseDocument(text);
  for (const { path, value } of settings) {
    path.slice(0, -1).forEach((_, depth) => {
      const above = path.slice(0, depth + 1);
      if (!isMap(document.getIn(above))) document.setIn(above, document.createNode({}));
    });
    document.setIn(path, document.createNode(value));
  }
  return document.toString();
}
