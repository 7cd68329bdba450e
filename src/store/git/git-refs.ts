import { dirname, join } from "node:path";
import { isThere, realPlaceOf } from "../files/folders.ts";
import { readRegular } from "../files/regular-file.ts";
import { checkoutAt, type GitCheckout } from "./git-checkout.ts";

const COMMIT = /^(?!0+$)(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether the file of a branch says nothing that could be a commit. A branch without a file of its own is not broken. */
export function isBrokenRef(repository: string, ref: string): boolean {
  const text = textOf(join(repository, ref));
  return text !== undefined && !text.startsWith("ref: ") && !COMMIT.test(text.trim());
}

/** The newest commit that the log of a branch names. */
export function lastLogged(repository: string, ref: string): string | undefined {
  const lines = textOf(join(repository, "logs", ref))?.split("\n") ?? [];
  return lines.map((line) => line.split(" ")[1] ?? "").findLast((commit) => COMMIT.test(commit));
}

/** The branch that a checkout has, by its file HEAD. */
export function checkedOutBranch({ records }: GitCheckout): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(textOf(join(records, "HEAD"))?.trim() ?? "")?.[1];
}

/** The checkout that a folder is in, if one can be used. */
export function checkoutAbove(folder: string): GitCheckout | undefined {
  for (let at = realPlaceOf(folder); ; at = dirname(at)) {
    if (isThere(join(at, ".git"))) {
      const found = checkoutAt(at);
      return typeof found === "string" ? undefined : found;
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Undefined where there is no file. An agent may have left a pipe there, which is not waited for. */
function textOf(path: string): string | undefined {
  try {
    return readRegular(path, path).toString("utf8");
  } catch {
    return undefined;
  }
}
