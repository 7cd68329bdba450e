import { isMap, parseDocument } from "yaml";
import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import { changedFile } from "../../workspace/knowledge/document-writes.ts";
import { PolicyFile } from "../../workspace/policies/policy-file.ts";
import { untilUndisturbed } from "../../workspace/undisturbed.ts";
import { stampText } from "./hook-files.ts";

export const SWITCHES_FILE = "policies/hooks.yml";
const HEAD = "# Hooks that are switched on or off, by name. Applies on save.\n";
const Switches = z.strictObject({ enabled: z.record(z.string(), z.boolean()).default({}) });

/** Which built-in hooks, and hooks in files, are switched on or off. Those of config.yml say so there. */
export class HookSwitches {
  readonly #core: Core;
  readonly #file: PolicyFile<typeof Switches>;

  constructor(core: Core) {
    this.#core = core;
    const words = "every hook is as its own file says until it is fixed";
    this.#file = new PolicyFile(core.files, {
      path: SWITCHES_FILE,
      schema: Switches,
      fallback: { enabled: {} },
      words,
    });
  }

  /** Undefined: nobody switched it. */
  of(name: string): boolean | undefined {
    const { enabled } = this.#file.value();
    return Object.hasOwn(enabled, name) ? enabled[name] : undefined;
  }

  stamp(): string {
    return stampText(this.#core.files, SWITCHES_FILE);
  }

  problems(): Problem[] {
    return this.#file.problems();
  }

  async set(name: string, isEnabled: boolean, change: Change): Promise<void> {
    const { files, locks } = this.#core;
    await locks.run(`file ${SWITCHES_FILE}`, () =>
      untilUndisturbed(async () => {
        const [problem] = this.problems();
        if (problem !== undefined)
          throw new HallError("file_invalid", `'${SWITCHES_FILE}' can't be read: ${problem.reason}.`);
        const before = files.exists(SWITCHES_FILE) ? files.text(SWITCHES_FILE) : undefined;
        const content = edited(before ?? HEAD, name, isEnabled);
        const draft: EventDraft = { ...byChange(change), ...switched(name, isEnabled), file: SWITCHES_FILE };
        await commit(this.#core, draft, () => undefined, [changedFile(SWITCHES_FILE, content, before)]);
      }),
    );
  }
}

/** What the log says of it, wherever it is recorded. */
export function switched(name: string, enabled: boolean): Pick<EventDraft, "type" | "subject" | "before" | "after"> {
  const subject = { kind: "hook", id: name } as const;
  return { type: "hook.switched", subject, before: { enabled: !enabled }, after: { enabled } };
}

function edited(text: string, name: string, isEnabled: boolean): string {
  const document = parseDocument(text);
  if (!isMap(document.get("enabled"))) document.set("enabled", document.createNode({}));
  document.setIn(["enabled", name], isEnabled);
  return document.toString({ lineWidth: 0 });
}
