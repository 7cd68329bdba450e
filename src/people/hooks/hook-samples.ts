import type { Problem } from "../../contract/problem.ts";
import type { HookCall, HookCaller } from "./hook-caller.ts";
import { problemOf } from "./hook-table.ts";
import type { HookInput } from "./hooks.ts";
import type { ListedHook } from "./listed-hook.ts";

interface Parts {
  caller: Pick<HookCaller, "call">;
  /** Changes whenever a program of the hook may have changed. */
  stampOf: (hook: ListedHook) => string;
}

interface Fault {
  text: string;
  /** It let the sample pass; otherwise it failed, and does so in earnest too. */
  isAllowed: boolean;
}

interface Trial {
  key: string;
  hook: ListedHook;
  result: Promise<Fault | undefined>;
  fault?: Fault | undefined;
}

/** Tries hooks on the inputs that they must refuse. A hook that lets its sample pass guards nothing. */
export class HookSamples {
  readonly #parts: Parts;
  readonly #trials = new Map<string, Trial>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** That the hook allowed its sample, so it can't be trusted; waits for a trial that is under way. */
  async distrust(hook: ListedHook): Promise<string | undefined> {
    if (hook.sample === undefined) return undefined;
    const found = await this.#trial(hook).result;
    return found?.isAllowed === true ? found.text : undefined;
  }

  /** Tries those that are new or have changed, and forgets those that are gone. */
  async tryAll(hooks: readonly ListedHook[]): Promise<void> {
    const tried = hooks.filter(({ sample, enabled }) => sample !== undefined && enabled);
    for (const name of this.#trials.keys()) if (!tried.some((hook) => hook.name === name)) this.#trials.delete(name);
    await Promise.all(tried.map((hook) => this.#trial(hook).result));
  }

  /** What is known now, without waiting. */
  known(name: string): string | undefined {
    return this.#trials.get(name)?.fault?.text;
  }

  problems(): Problem[] {
    return [...this.#trials.values()].flatMap(({ hook, fault }) => {
      if (fault === undefined) return [];
      const isRefused = fault.isAllowed || hook.onError === "refuse";
      const effect = isRefused ? "refused" : "allowed";
      return [problemOf(hook, `${fault.text}. Until it is fixed, everything it guards is ${effect}.`)];
    });
  }

  /** What a trial by hand showed. */
  found(hook: ListedHook, call: HookCall): void {
    const fault = faultIn(call);
    this.#trials.set(hook.name, { key: this.#key(hook), hook, result: Promise.resolve(fault), fault });
  }

  #key(hook: ListedHook): string {
    return JSON.stringify([hook, this.#parts.stampOf(hook)]);
  }

  #trial(hook: ListedHook): Trial {
    const key = this.#key(hook);
    const known = this.#trials.get(hook.name);
    if (known?.key === key) return known;
    const trial: Trial = { key, hook, result: this.#try(hook) };
    this.#trials.set(hook.name, trial);
    void trial.result.then((fault) => {
      trial.fault = fault;
    });
    return trial;
  }

  async #try(hook: ListedHook): Promise<Fault | undefined> {
    const input: HookInput = { ...hook.sample, hook_event_name: hook.event };
    return faultIn(await this.#parts.caller.call(hook, input));
  }
}

function faultIn(call: HookCall): Fault | undefined {
  if (call.outcome === "refused") return undefined;
  if (call.outcome === "failed") return { text: `it failed on its sample: ${call.text}`, isAllowed: false };
  return { text: "it allowed its sample, which it must refuse", isAllowed: true };
}
