import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Budget, BudgetUpdate } from "../contract/documents/budget.ts";
import type { Config, Price } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import type { EventDraft } from "../contract/event.ts";
import type { Problem } from "../contract/problem.ts";
import { LIVE_SECTIONS } from "../contract/words/setting-words.ts";
import type { Files } from "../store/files/files.ts";
import { Momentary } from "../store/momentary.ts";
import type { Change } from "./change.ts";
import { type ConfigEdit, editConfig } from "./config-edit.ts";
import { CONFIG_FILE, configText, loadConfig, readConfig } from "./config-file.ts";
import { byChange, type Core, commit, difference } from "./core.ts";

const CHANGED = "config.yml was changed after the daemon started; some settings take effect after a restart";

export interface ConfigChange {
  edit: ConfigEdit;
  change: Change;
  /** Throws what keeps these settings from being saved. */
  check?: (before: Config, after: Config) => void;
  /** What the log says about it. */
  event: (before: Config, after: Config) => Omit<EventDraft, "actor" | "request" | "why">;
}

/** config.yml as it is now. Some sections apply at once, the others after a restart. */
export class LiveSettings {
  readonly #core: Core;
  /** Shared with the whole daemon: its live sections are replaced when the file changes, the others never. */
  readonly #config: Config;
  readonly #state: Momentary<string>;
  #written: Config;
  #seen: string;
  #problem: string | undefined;

  constructor(core: Core, config: Config) {
    this.#core = core;
    this.#config = config;
    this.#written = config;
    this.#state = new Momentary(() => stateOf(core.files));
    this.#seen = this.#state.now();
  }

  /** Reads the file again if it has changed. One that cannot be read leaves everything as it was. */
  look(): Config {
    const state = this.#state.now();
    if (state === this.#seen) return this.#config;
    this.#seen = state;
    try {
      this.#written = loadConfig(this.#core.files);
      for (const section of LIVE_SECTIONS) Object.assign(this.#config, { [section]: this.#written[section] });
      this.#problem = undefined;
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      this.#problem = error.message;
    }
    return this.#config;
  }

  /** As in the file, including what takes effect after a restart. */
  written(): Config {
    this.look();
    return this.#written;
  }

  budget(): Budget {
    return this.look().budget;
  }

  /** Whether something in config.yml takes effect only after a restart. */
  needsRestart(): boolean {
    return !isDeepStrictEqual(this.written(), this.#config);
  }

  /** Of config.yml, for If-Match. */
  etag(): string {
    return createHash("sha256").update(configText(this.#core.files)).digest("hex").slice(0, 16);
  }

  /** What keeps something in config.yml from being used. */
  problems(): Problem[] {
    const isPending = this.needsRestart();
    const reasons = [
      ...(this.#problem === undefined
        ? []
        : [`${this.#problem} The earlier settings stay in effect until it is fixed.`]),
      ...(isPending ? [CHANGED] : []),
    ];
    return reasons.map((reason) => ({ file: CONFIG_FILE, kind: "config", severity: "warning", reason }));
  }

  updateBudget(update: BudgetUpdate, change: Change): Promise<Config> {
    const set = Object.fromEntries(Object.entries(update).map(([key, value]) => [`budget.${key}`, value]));
    return this.edit({
      edit: { set, reset: [] },
      change: { ...change, ifMatch: undefined },
      event: (before, after) => ({
        type: "budget.changed",
        subject: { kind: "workspace", id: "budget" },
        ...difference(before.budget, after.budget),
      }),
    });
  }

  async setPrice(model: string, price: Price, change: Change): Promise<void> {
    await this.edit({
      edit: { set: {}, reset: [], entries: [{ path: ["models", "prices", model], value: price }] },
      change: { ...change, ifMatch: undefined },
      event: (before, after) => ({
        type: "budget.changed",
        subject: { kind: "workspace", id: "budget" },
        ...difference(withPrices(before), withPrices(after)),
      }),
    });
  }

  /** Writes what the edit names into config.yml and leaves every other line. Settings that are not valid are refused. */
  edit({ edit, change, check, event }: ConfigChange): Promise<Config> {
    const { files, locks } = this.#core;
    return locks.run("config", async () => {
      if (change.ifMatch !== undefined && change.ifMatch !== this.etag())
        throw new HallError("version_mismatch", "config.yml was changed since you read it.");
      const before = loadConfig(files);
      const content = edited(configText(files), edit);
      const after = readConfig(content);
      check?.(before, after);
      const draft = { ...event(before, after), ...byChange(change) };
      await commit(this.#core, draft, () => undefined, [{ kind: "put", path: CONFIG_FILE, content }]);
      return this.look();
    });
  }
}

/** The file as it is was read before this, so what is not valid is the change. */
function edited(text: string, edit: ConfigEdit): string {
  try {
    return editConfig(text, edit);
  } catch (error) {
    if (!(error instanceof HallError) || error.code !== "config_invalid") throw error;
    throw new HallError("invalid", `Nothing was changed. With this setting, ${error.message}`);
  }
}

function withPrices({ budget, models: { prices } }: Config) {
  return { ...budget, ...(Object.keys(prices).length === 0 ? {} : { prices }) };
}

function stateOf(files: Files): string {
  const stamp = files.stamp(CONFIG_FILE);
  return stamp === undefined ? "" : `${stamp.mtime} ${stamp.size} ${stamp.inode}`;
}
