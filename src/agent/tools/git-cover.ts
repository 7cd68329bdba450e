import { createHash } from "node:crypto";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { OutputFile } from "../../store/files/output-file.ts";
import { type CoveredSettings, coveredInGitFolder, repositoryView } from "../../store/git/git-view.ts";
import { placeKind } from "../../store/host/host-places.ts";
import { ProtectedSearch } from "../../store/secrets/protected-places.ts";
import type { Lent, Masked } from "../sandbox/sandbox.ts";
import { maskedIn } from "../sandbox/tool-folders.ts";
import { canLend } from "./lent-packages.ts";

interface Cover {
  readable: string[];
  masked: Masked[];
  lent: Lent[];
}

/** Keeps what git knows of passwords from commands: its settings are shown as a copy without them. */
export class GitCover {
  readonly #policy: RunSandbox;
  readonly #workdir: string;
  readonly #keepAt: (name: string) => { path: string };
  /** Copies that were written, by their content. */
  readonly #copies = new Map<string, string | undefined>();
  readonly #searches = new Map<string, ProtectedSearch>();

  constructor(of: { policy: RunSandbox; workdir: string; keepAt: (name: string) => { path: string } }) {
    this.#policy = of.policy;
    this.#workdir = of.workdir;
    this.#keepAt = of.keepAt;
  }

  /** Git folders that are shown with what is around them, and the repository that the working folder is a worktree of. */
  cover(gitFolders: readonly { folder: string; root: string }[], repository: string | undefined): Cover {
    const cover: Cover = { readable: [], masked: [], lent: [] };
    for (const { folder, root } of gitFolders) {
      const { hidden, settings } = coveredInGitFolder(folder, root);
      cover.masked.push(...maskedIn("/", hidden));
      this.#addSettings(cover, settings);
    }
    if (repository !== undefined) {
      const { shown, settings } = repositoryView(repository, this.#workdir);
      cover.readable.push(...shown);
      cover.masked.push(...shown.flatMap((path) => this.#secretsIn(path)));
      this.#addSettings(cover, settings);
    }
    return cover;
  }

  #addSettings(cover: Cover, settings: readonly CoveredSettings[]): void {
    for (const { path, text, hasSecrets } of settings) {
      const from = canLend(this.#policy) ? this.#copyOf(text) : undefined;
      if (from !== undefined) cover.lent.push({ path, from, kind: "file" });
      // Without a copy git reads its settings as they are, or, if they are secret, cannot.
      else if (hasSecrets || canLend(this.#policy)) cover.masked.push({ path, kind: "file" });
      else cover.readable.push(path);
    }
  }

  /** Undefined when it cannot be written. */
  #copyOf(text: string): string | undefined {
    if (this.#copies.has(text)) return this.#copies.get(text);
    // Nothing to write would make no file.
    const bytes = Buffer.from(`${text}\n`);
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
    const { path } = this.#keepAt(`git-settings-${hash}`);
    const file = new OutputFile(path, bytes.length);
    file.add(bytes);
    file.close();
    const copy = file.kept === bytes.length ? path : undefined;
    this.#copies.set(text, copy);
    return copy;
  }

  /** What cannot be searched is not shown. */
  #secretsIn(path: string): Masked[] {
    if (placeKind(path) !== "folder") return [];
    const search = this.#searches.get(path) ?? new ProtectedSearch(path, { now: Date.now });
    this.#searches.set(path, search);
    const found = search.find();
    return found === undefined ? [{ path, kind: "folder" }] : maskedIn(path, found.secrets);
  }
}
