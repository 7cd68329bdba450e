import { join } from "node:path";
import type { Clone, CloneStart } from "../../contract/documents/clone.ts";
import { ProjectConfig, type ProjectCreate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { type AddressRefusal, type RepositoryAddress, readAddress } from "../../contract/words/repository-address.ts";
import { isFree } from "../../store/files/new-folder.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import { slugOf } from "../../workspace/projects/project-rules.ts";
import { assertWorkdir } from "../../workspace/projects/workdir.ts";
import { cloneInto } from "./clone-into.ts";

/** Beside the person's other folders, where they see it. */
const PARENT = "guildhall-projects";
const MOST_KEPT = 20;

interface Parts {
  core: Pick<Core, "files" | "clock" | "nextId" | "projects">;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  umask: number;
  /** Where agents can write: no program is taken from there. */
  agentFolders: () => readonly string[];
}

interface Kept {
  clone: Clone;
  ending: AbortController;
  ended: Promise<void>;
}

const REFUSALS: Record<AddressRefusal, readonly [message: string, hint: string]> = {
  malformed: [
    "the repository address is not valid",
    "Use https://host/path, ssh://user@host/path, user@host:path or the absolute path of a local repository.",
  ],
  transport: ["this kind of address is not supported", "Use the repository's https:// or SSH address."],
  unencrypted: ["this address is not encrypted", "Use the repository's https:// or SSH address."],
  query: ["the address has a part after '?' or '#'", "Use the clone address of the repository, without that part."],
};

/** Clones repositories for the person. What is under way is kept in memory, and ends with the daemon. */
export class Clones {
  readonly #parts: Parts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws when the address is refused. */
  preview(url: string): { url: string; name: string; folder: string } {
    const address = addressOf(url);
    return { url: address.url, name: address.name, folder: this.#defaultFolder(address) };
  }

  start({ url, folder }: CloneStart, { actor }: Pick<Change, "actor">): Clone {
    if (actor.kind !== "person")
      throw new HallError("forbidden", "Only a person can clone a repository: it uses the person's credentials.", {
        hint: "Ask the person.",
      });
    const address = addressOf(url);
    const target = folder ?? this.#defaultFolder(address);
    this.#assertFolder(target);
    const { core } = this.#parts;
    const clone: Clone = {
      ...{ id: core.nextId(), url: address.url, folder: target, state: "running", phase: "connecting", percent: 0 },
      startedAt: core.clock().toISOString(),
    };
    const ending = new AbortController();
    this.#kept.set(clone.id, { clone, ending, ended: this.#run(clone, address, ending.signal) });
    this.#forgetOldest();
    return { ...clone };
  }

  get(id: string): Clone {
    return { ...this.#one(id).clone };
  }

  /** Resolves when nothing of it is left, unless it was finished before. */
  async cancel(id: string): Promise<Clone> {
    const { ending, ended } = this.#one(id);
    ending.abort();
    await ended;
    return this.get(id);
  }

  /** A project that is created from an address gets the cloned folder as its own. Throws clone_failed. */
  async cloneFor({ repoUrl, ...body }: ProjectCreate, change: Change): Promise<Omit<ProjectCreate, "repoUrl">> {
    if (repoUrl === undefined) return body;
    const id = body.id ?? slugOf(body.name);
    if (id !== undefined && this.#parts.core.projects.get(id) !== undefined)
      throw new HallError("already_exists", `A project '${id}' already exists.`);
    const started = this.start({ url: repoUrl, folder: body.workdir }, change);
    await this.#one(started.id).ended;
    const { state, failure, folder, url } = this.get(started.id);
    if (state === "done")
      return { ...body, workdir: folder, config: ProjectConfig.parse({ ...body.config, repoUrl: url }) };
    const { message = "The clone was canceled.", hint } = failure ?? {};
    throw new HallError("clone_failed", message, { ...(hint === undefined ? {} : { hint }) });
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    for (const { ending } of all) ending.abort();
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #run(clone: Clone, address: RepositoryAddress, signal: AbortSignal): Promise<void> {
    const { env, umask, agentFolders } = this.#parts;
    const onProgress = (progress: Pick<Clone, "phase" | "percent">) => void Object.assign(clone, progress);
    const around = { env, umask, agentFolders: agentFolders(), signal, onProgress };
    Object.assign(clone, await cloneInto(clone.folder, address, around));
  }

  #one(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined)
      throw new HallError("clone_not_found", `There is no clone '${id}'.`, { hint: "Start a new one." });
    return kept;
  }

  #assertFolder(folder: string): void {
    assertWorkdir(folder, { root: this.#parts.core.files.root, projectId: "" });
    const isTaken = [...this.#kept.values()].some(({ clone }) => clone.state === "running" && clone.folder === folder);
    if (!isTaken && isFree(folder)) return;
    throw new HallError("already_exists", `The folder '${folder}' already exists and is not empty.`, {
      hint: "Choose another folder, or create the project in that one without cloning.",
    });
  }

  #defaultFolder({ name }: RepositoryAddress): string {
    for (let number = 1; ; number++) {
      const folder = join(this.#parts.home, PARENT, number === 1 ? name : `${name}-${number}`);
      if (isFree(folder)) return folder;
    }
  }

  #forgetOldest(): void {
    for (const [id, { clone }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) return;
      if (clone.state !== "running") this.#kept.delete(id);
    }
  }
}

function addressOf(url: string): RepositoryAddress {
  const reading = readAddress(url);
  if ("address" in reading) return reading.address;
  const [message, hint] = REFUSALS[reading.refused];
  throw new HallError("invalid", `url: ${message}.`, { hint });
}
