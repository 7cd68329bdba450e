import { closeSync, readlinkSync } from "node:fs";
import { HallError } from "../../contract/errors.ts";
import { joinPath } from "./join-path.ts";
import { hasDescriptorPaths, realPath } from "./real-path.ts";
import { openDirectory } from "./regular-file.ts";

/** Folders held open at once. */
const MOST_HELD = 64;

/** `followed`: a link may lead to another folder of the root. `refused`: what a path says is where it leads, or it is not opened. */
export type LinkUse = "followed" | "refused";

/** A folder that is held open. */
export interface OpenFolder {
  /** Where it really lies, from the root; "." is the root itself. */
  readonly place: string;
  at(name: string): string;
  close(): void;
}

/**
 * Opens folders of the workspace. What is then reached through a descriptor whose real place was checked cannot be led
 * outside by a link swapped in between (on systems without /proc the check is by realpath, which leaves a small race).
 */
export class OpenFolders {
  readonly containment: "descriptor" | "realpath";
  readonly #root: string;
  readonly #links: LinkUse;
  #held: Map<string, OpenFolder> | undefined;

  /** `root` is a real path. */
  constructor(root: string, links: LinkUse = "followed") {
    this.#root = root;
    this.#links = links;
    this.containment = hasDescriptorPaths ? "descriptor" : "realpath";
  }

  /** Throws path_refused when the folder really lies outside `within`; "." is the workspace. */
  open(folder: string, within: string): OpenFolder {
    if (this.#held === undefined) return this.#open(folder, within);
    if (this.#held.size >= MOST_HELD) letGo(this.#held);
    const key = `${within}\0${folder}`;
    const held = this.#held.get(key) ?? this.#open(folder, within);
    this.#held.set(key, held);
    return { place: held.place, at: held.at, close: () => undefined };
  }

  /** Opens and checks each folder only once while `work` runs, for work that reads many files and waits for nothing. */
  hold<Result>(work: () => Result): Result {
    if (this.#held !== undefined) return work();
    const held = new Map<string, OpenFolder>();
    this.#held = held;
    try {
      return work();
    } finally {
      this.#held = undefined;
      letGo(held);
    }
  }

  #open(folder: string, within: string): OpenFolder {
    const absolute = joinPath(this.#root, folder);
    const fd = openDirectory(absolute, folder);
    try {
      const real = this.containment === "descriptor" ? readlinkSync(`/proc/self/fd/${fd}`) : realPath(absolute);
      const limit = within === "." ? this.#root : joinPath(this.#root, within);
      if (real !== limit && !real.startsWith(`${limit}/`)) {
        throw new HallError(
          "path_refused",
          `The folder '${folder}' leads outside ${within === "." ? "the workspace" : within}.`,
        );
      }
      const place = real.slice(this.#root.length + 1) || ".";
      if (this.#links === "refused") assertDirect(folder, place);
      const base = this.containment === "descriptor" ? `/proc/self/fd/${fd}` : real;
      return { place, at: (name) => `${base}/${name}`, close: () => closeSync(fd) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
}

/** Names decide what is protected, so that what a path's names say must be what was opened, not what stood there before. */
function assertDirect(folder: string, place: string): void {
  if (folder === place) return;
  throw new HallError("path_refused", `'${folder}' leads through a link to '${place}'.`, {
    hint: "Links are not followed; use the path it leads to.",
  });
}

function letGo(held: Map<string, OpenFolder>): void {
  for (const folder of held.values()) folder.close();
  held.clear();
}
