import type {
  Firing,
  Skipped,
  Trigger,
  TriggerCreate,
  TriggerUpdate,
} from "../../contract/documents/autonomy/trigger.ts";
import { HallError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/event.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Write } from "../../store/changes/change.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import { editFrontmatter, renderFrontmatter } from "../../store/markup/frontmatter.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import { etagOf } from "../../workspace/tasks/task-file.ts";
import { historyFile, seenFile, type TriggerHistory } from "./history.ts";
import type { Accepted, TriggerKeeper } from "./keeper.ts";
import { promptOf, startsWords } from "./prompt.ts";
import {
  parseTrigger,
  sourceFault,
  type TriggerDocument,
  type TriggerFiles,
  triggerFolder,
  triggerPath,
} from "./trigger-files.ts";
import { firingView, triggerView } from "./views.ts";

interface Parts {
  core: Core;
  files: TriggerFiles;
  history: TriggerHistory;
  keeper: TriggerKeeper;
  /** Reads the files again, and has what changed looked at. */
  reload: () => void;
  /** Why a trigger could not fire although its file is fine. */
  problemOf: (trigger: TriggerDocument) => string | undefined;
  /** Refuses with HallError a role that a trigger can't start. */
  assertRole: (roleId: string) => void;
}

const SAMPLE = "(the body of a delivery)";

/** What the API asks of triggers. */
export class TriggerDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(project?: string): Trigger[] {
    const { files } = this.#parts;
    const all = files.all().filter(({ projectId }) => project === undefined || projectId === project);
    return all.toSorted((left, right) => left.name.localeCompare(right.name)).map((trigger) => this.#view(trigger));
  }

  get(name: string): Trigger {
    return this.#view(this.#known(name));
  }

  async create(body: TriggerCreate, change: Change): Promise<Trigger> {
    const { core, files } = this.#parts;
    const { name, projectId, words = "", ...fields } = body;
    if (projectId !== undefined && core.projects.status(projectId) === undefined)
      throw new HallError("project_not_found", `There is no project '${projectId}'.`);
    this.assertUsable(body, words);
    return this.#alone(name, async () => {
      this.#parts.reload();
      const other = files.find(name);
      if (other !== undefined)
        throw new HallError("already_exists", `There is a trigger '${name}' already: ${other.path}.`, {
          hint: "Choose another name.",
        });
      const path = triggerPath({ name, projectId });
      const content = textOf(fields, words);
      const event = this.#event("trigger.created", { name, projectId }, change, {
        after: { on: fields.on, do: fields.do },
      });
      await this.#write(event, [{ kind: "put", path, content, base: null }, ...this.#movedHistory(name)]);
      this.#parts.history.forget(name);
      return this.#reread(name);
    });
  }

  async update(name: string, body: TriggerUpdate, change: Change): Promise<Trigger> {
    return this.#edit(name, change, (trigger) => {
      const { words, description, ...fields } = body;
      const { on = trigger.on, do: action = trigger.do } = fields;
      this.assertUsable({ on, do: action, projectId: trigger.projectId }, words ?? trigger.words);
      const edits = {
        ...defined(fields),
        ...(description === undefined ? {} : { description: description ?? undefined }),
      };
      return { edits, words };
    });
  }

  pause(name: string, change: Change): Promise<Trigger> {
    return this.#edit(name, change, () => ({ edits: { enabled: false } }));
  }

  resume(name: string, change: Change): Promise<Trigger> {
    return this.#edit(name, change, () => ({ edits: { enabled: true } }));
  }

  async remove(name: string, change: Change): Promise<void> {
    await this.#alone(name, async () => {
      const { core } = this.#parts;
      const { path, projectId } = this.#known(name);
      this.#assertVersion(this.#known(name), change);
      const to = `${triggerFolder(projectId)}/.removed/${name}-${core.nextId()}.md`;
      const event = this.#event("trigger.removed", { name, projectId }, change, {});
      await this.#write(event, [{ kind: "move", path, to }, ...this.#movedHistory(name)]);
      this.#parts.history.forget(name);
      this.#parts.reload();
    });
  }

  async run(name: string, change: Change): Promise<Firing> {
    const keys = change.request === undefined ? {} : { keys: [`request ${change.request.key}`] };
    const trigger = this.#known(name);
    if (trigger.problem !== undefined) throw broken(trigger);
    const hold = trigger.projectId === undefined ? "active" : this.#parts.core.projects.status(trigger.projectId);
    if (hold !== "active") throw new HallError("project_closed", `Project '${trigger.projectId}' is not active.`);
    const accepted: Accepted = await this.#parts.keeper.accept(name, { cause: "asked", asked: true, ...keys });
    const firings = this.#parts.history.of(name).firings;
    const firing =
      accepted.is === "accepted"
        ? accepted.firing
        : firings.findLast((one) => one.keys?.includes(keys.keys?.[0] ?? ""));
    if (firing === undefined) throw new HallError("trigger_refused", `Trigger '${name}' did not fire.`);
    return firingView(firing);
  }

  test(name: string): Omit<RouteResponse<"testTrigger">, "success"> {
    const trigger = this.#known(name);
    const outside = trigger.on.webhook !== undefined && trigger.do.spawn !== undefined;
    const problem = trigger.problem ?? this.#parts.problemOf(trigger);
    return {
      starts: startsWords(trigger),
      prompt: promptOf(trigger, outside ? { outside: SAMPLE } : {}, "example"),
      outside,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  historyOf(name: string, limit: number): { firings: Firing[]; skipped: Skipped[] } {
    this.#known(name);
    const { firings, skips, open } = this.#parts.history.of(name);
    const fired = firings.filter(({ skipped }) => skipped === undefined);
    const ended = firings.flatMap(({ skipped, endedAt, cause, slot }): Skipped[] =>
      skipped === undefined || endedAt === undefined
        ? []
        : [{ at: endedAt, reason: skipped, count: 1, cause, ...(slot === undefined ? {} : { from: slot, to: slot }) }],
    );
    const skipped = [...skips, ...ended].toSorted((left, right) => (left.at < right.at ? 1 : -1));
    return {
      firings: fired
        .slice(-limit)
        .reverse()
        .map((firing) => firingView(firing, firing === open[0])),
      skipped: skipped.slice(0, limit),
    };
  }

  #view(trigger: TriggerDocument): Trigger {
    const { history, keeper, problemOf } = this.#parts;
    const problem = history.problemOf(trigger.name)?.reason ?? problemOf(trigger);
    return triggerView({ trigger, state: history.of(trigger.name), nextAt: keeper.nextAt(trigger.name), problem });
  }

  #known(name: string): TriggerDocument {
    const trigger = this.#parts.files.find(name);
    if (trigger === undefined) throw new HallError("trigger_not_found", `There is no trigger '${name}'.`);
    return trigger;
  }

  /** Throws what a trigger of these words could not do. */
  assertUsable(
    { on, do: action, projectId }: Pick<TriggerCreate, "on" | "do"> & { projectId?: string | undefined },
    words = "",
  ): void {
    const fault = sourceFault(on, this.#parts.core.clock().getTime());
    if (fault !== undefined) throw new HallError("invalid", fault);
    const needsProject = on.files !== undefined || on.event === "commit.created" || action.team !== undefined;
    if (needsProject && projectId === undefined)
      throw new HallError("invalid", "projectId: is required for files, commit.created and teams");
    if (action.message === true && words.trim() === "")
      throw new HallError("invalid", "words: are required where do.message is true");
    if (action.spawn !== undefined) this.#parts.assertRole(action.spawn.roleId);
  }

  #edit(
    name: string,
    change: Change,
    edit: (trigger: TriggerDocument) => { edits: Record<string, unknown>; words?: string | undefined },
  ): Promise<Trigger> {
    const { core, reload } = this.#parts;
    return this.#alone(name, async () => {
      reload();
      const trigger = this.#known(name);
      if (trigger.problem !== undefined) throw broken(trigger);
      this.#assertVersion(trigger, change);
      const { edits, words } = edit(trigger);
      const text = core.files.text(trigger.path);
      const edited = withWords(editFrontmatter(text, edits), words);
      if (edited === text) return this.#view(trigger);
      const read = parseTrigger(edited);
      if ("reason" in read) throw new HallError("invalid", read.reason);
      const event = this.#event("trigger.updated", trigger, change, { after: { ...edits } });
      await this.#write(event, [{ kind: "put", path: trigger.path, content: edited, base: contentHash(text) }]);
      return this.#reread(name);
    });
  }

  #reread(name: string): Trigger {
    this.#parts.reload();
    return this.get(name);
  }

  async #write(event: EventDraft, writes: readonly Write[]): Promise<void> {
    await commit(this.#parts.core, event, () => undefined, writes).catch((error) => {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      throw new HallError("version_mismatch", "The file of the trigger was changed meanwhile.");
    });
  }

  /** A new trigger of the same name begins without the past of the old one. */
  #movedHistory(name: string): Write[] {
    const { core } = this.#parts;
    const id = core.nextId();
    return [historyFile(name), seenFile(name)]
      .filter((path) => core.files.exists(path))
      .map((path) => ({ kind: "move", path, to: path.replace(/([^/]+?)(\.[a-z.]+)$/, `.removed/$1-${id}$2`) }));
  }

  #event(
    type: "trigger.created" | "trigger.updated" | "trigger.removed",
    { name, projectId }: { name: string; projectId?: string | undefined },
    change: Change,
    more: Pick<EventDraft, "after">,
  ): EventDraft {
    const subject = { kind: "trigger" as const, id: name };
    return { ...byChange(change), type, subject, ...more, ...(projectId === undefined ? {} : { projectId }) };
  }

  #assertVersion({ name, path }: TriggerDocument, { ifMatch }: Change): void {
    if (ifMatch !== undefined && ifMatch !== etagOf(this.#parts.core.files.text(path)))
      throw new HallError("version_mismatch", `Trigger '${name}' was changed meanwhile.`);
  }

  #alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`trigger ${name}`, work);
  }
}

function broken({ path, problem }: TriggerDocument): HallError {
  return new HallError("file_invalid", `${path}: ${problem}`, { file: path });
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

function textOf(
  { on, do: action, late, enabled, description }: Omit<TriggerCreate, "name" | "projectId" | "words">,
  words: string,
): string {
  return `${renderFrontmatter({ description, on: defined(on), do: defined(action), late, ...(enabled ? {} : { enabled }) })}${words === "" ? "" : `\n${words}\n`}`;
}

/** The text with other words below its frontmatter. */
function withWords(text: string, words: string | undefined): string {
  if (words === undefined) return text;
  const end = /^---\r?\n[\s\S]*?\n---\r?\n/.exec(text)?.[0].length ?? text.length;
  return `${text.slice(0, end)}${words === "" ? "" : `\n${words}\n`}`;
}
