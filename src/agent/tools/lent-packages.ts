import { join, relative } from "node:path";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { makeTree } from "../../store/files/make-folder.ts";
import { isBoundToItsPlace, lackedPackages } from "../../store/host/installed-packages.ts";
import { type ProtectedPlaces, ProtectedSearch } from "../../store/secrets/protected-places.ts";
import type { Lent, Masked } from "../sandbox/sandbox.ts";
import { maskedIn } from "../sandbox/tool-folders.ts";

export interface LentPlaces {
  lent: Lent[];
  readable: string[];
  masked: Masked[];
}

const NONE: LentPlaces = { lent: [], readable: [], masked: [] };
const CAN_LEND: readonly RunSandbox["name"][] = ["bwrap", "unshare"];

/** Whether a sandbox can show something at another path than its own. */
export function canLend({ name }: RunSandbox): boolean {
  return CAN_LEND.includes(name);
}

/**
 * Packages that are installed in a person's checkout, for commands in a worktree of it. Only where commands have no network:
 * with one they can install what they need, where they may write it.
 */
export class LentPackages {
  readonly #at: { checkout: string; workdir: string } | undefined;
  #found: LentPlaces | undefined;

  constructor({ checkout, workdir, policy }: { checkout?: string | undefined; workdir: string; policy: RunSandbox }) {
    const mayLend = !policy.network && canLend(policy);
    this.#at = checkout === undefined || !mayLend ? undefined : { checkout, workdir };
  }

  /** Looked for once: what the person installs while a run is at work, the next one has. */
  find(): LentPlaces {
    this.#found ??= this.#at === undefined ? NONE : look(this.#at);
    return this.#found;
  }
}

function look({ checkout, workdir }: { checkout: string; workdir: string }): LentPlaces {
  return lendPackages({ checkout, workdir }, (from) =>
    new ProtectedSearch(from, { now: Date.now, isOthers: true }).find(),
  );
}

/** Packages of a checkout that a folder with the same files lacks. `hiddenIn` tells what of them must not be seen. */
export function lendPackages(
  { checkout, workdir }: { checkout: string; workdir: string },
  hiddenIn: (from: string) => ProtectedPlaces | undefined,
): LentPlaces {
  const found: LentPlaces = { lent: [], readable: [], masked: [] };
  for (const path of lackedPackages(checkout, workdir)) {
    const from = join(checkout, path);
    const hidden = hiddenIn(from);
    if (hidden === undefined) continue;
    makeTree(join(workdir, path));
    found.lent.push({ path: join(workdir, path), from });
    if (isBoundToItsPlace(path)) found.readable.push(from);
    const places = isBoundToItsPlace(path) ? [join(workdir, path), from] : [join(workdir, path)];
    for (const { path: secret, kind } of maskedIn(from, [...hidden.secrets, ...hidden.gitFolders]))
      found.masked.push(...places.map((place) => ({ path: join(place, relative(from, secret)), kind })));
  }
  return found;
}
