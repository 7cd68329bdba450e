import type { HookEvent, HookSettings } from "../../contract/documents/hook.ts";
import type { Problem } from "../../contract/problem.ts";
import { KNOWN_TOOLS } from "../../contract/words/tool-names.ts";
import { Momentary } from "../../store/momentary.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import type { HookFiles } from "./hook-files.ts";
import type { HookSwitches } from "./hook-switches.ts";
import type { BuiltInHook } from "./hooks.ts";
import { builtIn, type ListedHook, ownHook } from "./listed-hook.ts";
import { unknownTools } from "./matcher.ts";

interface Parts {
  builtIns: readonly BuiltInHook[];
  settings: Pick<LiveSettings, "look">;
  files: HookFiles;
  switches: Pick<HookSwitches, "of" | "problems" | "stamp">;
  /** The hooks of a project's repository. */
  ofRepository: (projectId: string) => ListedHook[];
}

interface Reading {
  config: readonly HookSettings[];
  stamp: string;
  own: ListedHook[];
  problems: Problem[];
}

/** Every hook there is, as it is now, in the order in which they run. */
export class HookTable {
  readonly #parts: Parts;
  readonly #state: Momentary<string>;
  #read: Reading | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#state = new Momentary(() => `${parts.files.stamp()} ${parts.switches.stamp()}`);
  }

  /** Those of one project, or those that apply to every one. */
  list(projectId: string | undefined): ListedHook[] {
    const { own } = this.#current();
    return projectId === undefined ? own : [...own, ...this.#parts.ofRepository(projectId)];
  }

  of(event: HookEvent, projectId: string | undefined): ListedHook[] {
    return this.list(projectId).filter((hook) => hook.event === event && hook.enabled && hook.accepted !== false);
  }

  problems(): Problem[] {
    return this.#current().problems;
  }

  /** Read again when something may have changed. */
  #current(): Reading {
    const { builtIns, settings } = this.#parts;
    const config = settings.look().hooks;
    const stamp = `${builtIns.length} ${this.#state.now()}`;
    if (this.#read?.config !== config || this.#read.stamp !== stamp) this.#read = { config, stamp, ...this.#look() };
    return this.#read;
  }

  #look(): Pick<Reading, "own" | "problems"> {
    const { builtIns, settings, files, switches } = this.#parts;
    const read = files.list();
    const all = [
      ...builtIns.map((hook) => builtIn(hook, true)),
      ...settings.look().hooks.map((hook) => ownHook(hook, "config")),
      ...read.hooks,
    ];
    const switched = (hook: ListedHook): ListedHook =>
      hook.source === "config" ? hook : { ...hook, enabled: switches.of(hook.name) ?? hook.enabled };
    const own = withOwnNames(all).map(switched).map(withMatcherProblem);
    const told = own.flatMap(({ name, source, problem }) =>
      problem === undefined || read.problems.some(({ reason }) => reason === problem)
        ? []
        : [problemOf({ name, source }, problem)],
    );
    return { own, problems: [...read.problems, ...switches.problems(), ...told] };
  }
}

export function problemOf({ name, source }: Pick<ListedHook, "name" | "source">, reason: string): Problem {
  const file = source === "file" ? `hooks/${name}.yml` : CONFIG_FILE;
  return { file, kind: "config", severity: "warning", id: name, reason: `Hook '${name}': ${reason}` };
}

/** A hook whose name is taken runs under another one: leaving it out would open what it guards. */
function withOwnNames(hooks: readonly ListedHook[]): ListedHook[] {
  const taken = new Set<string>();
  return hooks.map((hook) => {
    let name = hook.name;
    for (let number = 2; taken.has(name); number++) name = `${hook.name}-${number}`;
    taken.add(name);
    if (name === hook.name) return hook;
    return { ...hook, name, problem: hook.problem ?? `another hook is named '${hook.name}'; rename one of them` };
  });
}

function withMatcherProblem(hook: ListedHook): ListedHook {
  const isOfTools = hook.event === "PreToolUse" || hook.event === "PostToolUse";
  const unknown = isOfTools ? unknownTools(hook.matcher, KNOWN_TOOLS) : [];
  if (unknown.length === 0 || hook.problem !== undefined) return hook;
  return { ...hook, problem: `its matcher names tools that don't exist: ${unknown.join(", ")}` };
}
