import { createHash } from "node:crypto";
import { z } from "zod";
import { AcceptedHooks, HOOK_EVENTS, type HookEvent } from "../../contract/documents/hook.ts";
import type { Project } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { hint } from "../../contract/words/hint.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { isFolder } from "../../store/files/folders.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import { changedGuards } from "./changed-guards.ts";
import type { Content, RepositoryHook } from "./listed-hook.ts";
import { untouchedSince } from "./untouched-files.ts";

const SETTINGS_FILE = ".claude/settings.json";
const SCRIPTS_FOLDER = ".claude/hooks";
/** In the workspace. People may read it, and take an entry out. */
const ACCEPTED_FILE = "hooks/accepted.json";
const LARGEST = 256 * 1024;
const LARGEST_READ = 16 * 1024 * 1024;
const MOST_HOOKS = 50;
const MOST_SCRIPTS = 100;
const DEFAULT_SECONDS = 60;
const LONGEST_SECONDS = 600;

const Entry = z.looseObject({
  type: z.string(),
  command: z.string().min(1).max(10_000),
  timeout: z.number().optional(),
});
const Section = z.record(
  z.string(),
  z.array(z.looseObject({ matcher: z.string().max(500).optional(), hooks: z.array(z.unknown()).default([]) })),
);
const SettingsFile = z.looseObject({ hooks: Section.optional() });

interface Parts {
  core: Core;
  project: (projectId: string) => Project | undefined;
  /** Whether the person switched a hook on or off. */
  switchOf: (name: string) => boolean | undefined;
}

interface Reading {
  hooks: RepositoryHook[];
  problem?: string;
}

/** Hooks in the .claude/settings.json of a project's repository. The person accepts the content of each before it is run. */
export class RepositoryHooks {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(projectId: string): RepositoryHook[] {
    const { hooks, changed } = this.#read(projectId);
    return [...hooks, ...changed];
  }

  problems(): Problem[] {
    const { projects } = this.#parts.core;
    return projects.ids().flatMap((projectId) => {
      if (projects.status(projectId) !== "active") return [];
      const { hooks, changed, problem } = this.#read(projectId);
      const waiting = hooks.filter(({ accepted, enabled }) => !accepted && enabled).map(({ name }) => name);
      const base = { file: SETTINGS_FILE, kind: "config", severity: "warning", projectId } as const;
      return [
        ...(problem === undefined ? [] : [{ ...base, reason: problem }]),
        ...changed
          .filter(({ enabled }) => enabled)
          .map((hook) => ({
            ...base,
            id: hook.name,
            reason: `What '${hook.name}' guards is refused: ${hook.problem}.`,
          })),
        ...(waiting.length === 0
          ? []
          : [
              {
                ...base,
                reason: `The repository has hooks that you have not accepted: ${waiting.join(", ")}. They are not run.`,
              },
            ]),
      ];
    });
  }

  /** Doing it again changes nothing. */
  accept(hook: RepositoryHook, hash: string, change: Change): Promise<void> {
    const { core } = this.#parts;
    const { name, projectId } = hook;
    if (change.actor.kind !== "person") throw new HallError("forbidden", "Only a person can accept hooks.");
    return core.locks.run(`file ${ACCEPTED_FILE}`, async () => {
      const now = this.list(projectId).find((one) => one.name === name);
      if (now?.hash !== hash)
        throw new HallError("version_mismatch", `The hook '${name}' changed since you viewed it.`, {
          hint: hint("hook-show", { text: name }),
        });
      if (now.accepted) return;
      const { accepted } = this.#accepted();
      const { matcher } = now;
      const entry = { hash, name, at: core.clock().toISOString(), ...(matcher === undefined ? {} : { matcher }) };
      const record = { version: 1, accepted: { ...accepted, [projectId]: [...(accepted[projectId] ?? []), entry] } };
      const subject = { kind: "hook", id: name } as const;
      const draft = { ...byChange(change), type: "hook.accepted", projectId, subject, after: { hash } } as const;
      const content = `${JSON.stringify(record, null, 2)}\n`;
      await commit(core, draft, () => undefined, [{ kind: "put", path: ACCEPTED_FILE, content }]);
    });
  }

  #accepted(): AcceptedHooks {
    const { files } = this.#parts.core;
    try {
      if (files.exists(ACCEPTED_FILE)) return AcceptedHooks.parse(JSON.parse(files.text(ACCEPTED_FILE)));
    } catch {
      // What can't be read accepts nothing.
    }
    return { version: 1, accepted: {} };
  }

  #read(projectId: string): Reading & { changed: RepositoryHook[] } {
    const project = this.#parts.project(projectId);
    const folder = project?.workdir === undefined ? undefined : this.#parts.core.workdirRecords.placeOf(project);
    if (typeof folder !== "string" || !isFolder(folder)) return { hooks: [], changed: [] };
    const accepted = this.#accepted().accepted[projectId] ?? [];
    const reading = this.#found(folder, projectId, accepted);
    const { switchOf } = this.#parts;
    return { ...reading, changed: changedGuards({ projectId, accepted, hooks: reading.hooks, switchOf }) };
  }

  #found(folder: string, projectId: string, entries: readonly { hash: string }[]): Reading {
    const reader = new FolderReader(folder);
    if (!reader.isReached(SETTINGS_FILE)) return { hooks: [] };
    const text = textAt(reader, SETTINGS_FILE);
    const parsed = text === undefined ? undefined : settingsIn(text);
    if (parsed === undefined) return { hooks: [], problem: "The hooks in this file can't be read; they are not run." };
    const accepted = new Set(entries.map(({ hash }) => hash));
    const { found, unsupported } = entriesIn(parsed);
    const scripts = scriptsIn(reader);
    const hooks = found.slice(0, MOST_HOOKS).map((entry): RepositoryHook => {
      const paths = filesOf(reader, entry, scripts);
      const read = () => contentOf(reader, entry, paths);
      // Before they are read: what is put there afterwards shows.
      const untouched = untouchedSince(reader, paths);
      const content = read();
      const hash = hashOf(content);
      const isUntouched = () => untouched(() => hashOf(read()) === hash);
      const hook = hookOf(entry, projectId);
      const enabled = this.#parts.switchOf(hook.name) ?? true;
      return { ...hook, enabled, hash, content, accepted: accepted.has(hash), isUntouched };
    });
    const problem = unsupported.length === 0 ? undefined : `Hooks for ${unsupported.join(", ")} are not supported.`;
    return { hooks, ...(problem === undefined || hooks.length === 0 ? {} : { problem }) };
  }
}

interface Found {
  event: HookEvent;
  number: number;
  matcher: string | undefined;
  command: string;
  seconds: number;
}

function settingsIn(text: string): z.infer<typeof Section> | undefined {
  try {
    const parsed = SettingsFile.safeParse(JSON.parse(text));
    return parsed.success ? (parsed.data.hooks ?? {}) : undefined;
  } catch {
    return undefined;
  }
}

function entriesIn(section: z.infer<typeof Section>): { found: Found[]; unsupported: string[] } {
  const found: Found[] = [];
  const unsupported = new Set<string>();
  for (const [name, groups] of Object.entries(section)) {
    const event = HOOK_EVENTS.find((known) => known === name);
    if (event === undefined) unsupported.add(name);
    else {
      let number = 0;
      for (const { matcher, hooks } of groups)
        for (const one of hooks) {
          number++;
          const entry = Entry.safeParse(one).data;
          if (entry?.type !== "command") unsupported.add(`${name} (not a command)`);
          else
            found.push({
              event,
              number,
              matcher: matcher || undefined,
              command: entry.command,
              seconds: secondsOf(entry),
            });
        }
    }
  }
  return { found, unsupported: [...unsupported].slice(0, 20) };
}

function secondsOf({ timeout = DEFAULT_SECONDS }: z.infer<typeof Entry>): number {
  return Math.min(Math.max(timeout, 0.1), LONGEST_SECONDS);
}

function hookOf({ event, number, matcher, command, seconds }: Found, projectId: string) {
  return {
    name: `${projectId}:${event}-${number}`,
    event,
    source: "repository",
    projectId,
    action: { kind: "command", words: ["sh", "-c", command] },
    ...(matcher === undefined ? {} : { matcher }),
    timeoutSeconds: seconds,
    onError: "refuse",
  } as const;
}

/** The scripts in .claude/hooks, and every file of the repository that the command names. */
function filesOf(reader: FolderReader, { command }: Found, scripts: readonly string[]): string[] {
  const words = command
    .split(/[\s"'`;|&()<>=]+/)
    .map((word) => word.replace(/^\$\{?CLAUDE_PROJECT_DIR\}?\//, "").replace(/^\.\//, ""));
  const named = words.filter((word) => word !== "" && !word.startsWith("/") && !word.split("/").includes(".."));
  const paths = [...new Set([...scripts, ...named])].filter((path) => reader.stat(path)?.isFile() === true);
  return paths.toSorted();
}

/** What is accepted: the entry and its files. */
function contentOf(reader: FolderReader, { number, ...entry }: Found, paths: readonly string[]): Content[] {
  const files = paths.map((path) => ({ path, text: textAt(reader, path) ?? "(can't be read)" }));
  return [{ path: SETTINGS_FILE, text: JSON.stringify(entry, null, 2) }, ...files];
}

function hashOf(content: readonly Content[]): string {
  return sha256(JSON.stringify(content));
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function scriptsIn(reader: FolderReader): string[] {
  if (reader.stat(SCRIPTS_FOLDER)?.isDirectory() !== true) return [];
  return reader
    .names(SCRIPTS_FOLDER)
    .slice(0, MOST_SCRIPTS)
    .map((name) => `${SCRIPTS_FOLDER}/${name}`);
}

function textAt(reader: FolderReader, path: string): string | undefined {
  try {
    const { size = 0, mtimeMs = 0 } = reader.stat(path) ?? {};
    if (size > LARGEST_READ) return `(${size} bytes, saved ${new Date(mtimeMs).toISOString()})`;
    const bytes = reader.readContained(path, ".");
    return size > LARGEST ? `(${size} bytes, SHA-256 ${sha256(bytes)})` : bytes.toString("utf8");
  } catch {
    return undefined;
  }
}
