import { relative } from "node:path";
import type { Git } from "./git.ts";
import type { Found } from "./repository.ts";

/** What the branch that results go into has at an absolute path; undefined where there is none, or no repository. */
export async function committedText(git: Git, found: Found, file: string): Promise<string | undefined> {
  if (found === undefined || found instanceof Error) return undefined;
  const path = relative(found.checkout, file);
  if (path.startsWith("..")) return undefined;
  const name = `refs/heads/${found.target}:${path}`;
  const { code, out } = await git.run({ gitDir: found.gitDir }, ["cat-file", "blob", name], { allowed: [1, 128] });
  return code === 0 ? out : undefined;
}
