import { HallError } from "../../contract/errors.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import { ChangedMeanwhile } from "../../store/files/draft-file.ts";
import { type Core, keep } from "../../workspace/core.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { TeamState } from "../machine/team-state.ts";
import { teamPaths } from "../team-files.ts";

const ISSUES = "issues";
/** Of one file of wisdom. */
const LONGEST_WISDOM = 64 * 1024;
const MOST_FILES = 200;
const LONGEST_READ = 100_000;

export interface TeamFile {
  /** From the team's folder. */
  path: string;
  characters: number;
}

/** `wisdom/` and `artifacts/` of teams. Members reach them through the daemon only: their sandboxes don't see the workspace. */
export class TeamFolder {
  readonly #core: Core;
  readonly #made = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Makes what is missing, once for each team. */
  async ensure({ document }: TeamState): Promise<void> {
    const { id, projectId } = document;
    if (this.#made.has(id)) return;
    const { wisdom, artifacts } = teamPaths(document);
    const { files } = this.#core;
    await files.ensureFolder(artifacts, projectRoot(projectId));
    const path = `${wisdom}/${ISSUES}.md`;
    if (!files.exists(path))
      await keep(this.#core, [
        { kind: "put", path, content: headed(ISSUES), base: null, within: projectRoot(projectId) },
      ]).catch(ignoreTaken);
    this.#made.add(id);
  }

  forget(id: string): void {
    this.#made.delete(id);
  }

  list({ document }: TeamState): TeamFile[] {
    const { folder, wisdom, artifacts } = teamPaths(document);
    const found = [...this.#below(wisdom, 1), ...this.#below(artifacts, 4)].slice(0, MOST_FILES);
    return found.map((path) => ({
      path: path.slice(folder.length + 1),
      characters: this.#core.files.stat(path)?.size ?? 0,
    }));
  }

  #below(folder: string, depth: number): string[] {
    const { files } = this.#core;
    if (depth === 0 || !files.exists(folder)) return [];
    const { names, folders } = files.namesAndFolders(folder);
    return [
      ...names.map((name) => `${folder}/${name}`),
      ...folders.flatMap((name) => this.#below(`${folder}/${name}`, depth - 1)),
    ];
  }

  /** `path` from the team's folder, as the contract allows it. */
  read({ document }: TeamState, path: string): { text: string; etag: string } {
    const { files } = this.#core;
    const from = `${teamPaths(document).folder}/${path}`;
    if (files.stat(from)?.isFile() !== true)
      throw new HallError("file_not_found", `The team has no file '${path}'.`, { hint: "See list_files." });
    const text = files.text(from);
    return { text: text.slice(0, LONGEST_READ), etag: contentHash(text) };
  }

  /** Adds a note to a file of wisdom. The same note of the same member is there once. Durable when it resolves. */
  async addWisdom(state: TeamState, { file, text, by }: { file: string; text: string; by: string }): Promise<void> {
    const path = `${teamPaths(state.document).wisdom}/${file}.md`;
    const note = `- ${text.trim().replaceAll("\n", "\n  ")} (${by})\n`;
    await this.#change(state, path, (before) => {
      const text = before ?? headed(file);
      if (text.includes(note)) return text;
      const next = `${text.endsWith("\n") ? text : `${text}\n`}${note}`;
      if (next.length > LONGEST_WISDOM)
        throw new HallError("too_large", `wisdom/${file}.md is full (${LONGEST_WISDOM / 1024} KiB). Use another file.`);
      return next;
    });
  }

  /** Replaces a file only for whoever has seen what is in it. Durable when it resolves. */
  async saveArtifact(
    state: TeamState,
    { path, content, etag }: { path: string; content: string; etag?: string | undefined },
  ): Promise<{ etag: string }> {
    if (this.list(state).length >= MOST_FILES)
      throw new HallError("too_large", `A team has at most ${MOST_FILES} files.`);
    await this.#change(state, `${teamPaths(state.document).folder}/${path}`, (before) => {
      if (before === content) return content;
      if (before !== undefined && contentHash(before) !== etag)
        throw new HallError("memory_conflict", `'${path}' exists, with the etag ${contentHash(before)}.`, {
          hint: "Read it with read_file, then send its etag to replace it.",
        });
      return content;
    });
    return { etag: contentHash(content) };
  }

  async #change(
    { document: { id, projectId } }: TeamState,
    path: string,
    next: (before: string | undefined) => string,
  ): Promise<void> {
    const { files, locks } = this.#core;
    await locks.run(`team file ${id} ${path}`, async () => {
      const before = files.exists(path) ? files.text(path) : undefined;
      const content = next(before);
      if (content === before) return;
      const base = before === undefined ? null : contentHash(before);
      await keep(this.#core, [{ kind: "put", path, content, base, within: projectRoot(projectId) }]).catch((error) => {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        throw new HallError("memory_conflict", "The file was edited at the same moment. Try again.");
      });
    });
  }
}

function headed(name: string): string {
  return `# ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n`;
}

function ignoreTaken(error: unknown): void {
  if (!(error instanceof ChangedMeanwhile)) throw error;
}
