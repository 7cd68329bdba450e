import { createHash } from "node:crypto";
import type { ChangedFile, RunDiff } from "../../contract/runs/run.ts";
import type { ControlFiles } from "../../store/git/control-files.ts";
import { controlFilesBetween } from "./control-changes.ts";
import type { Git } from "./git.ts";

const LONGEST_DIFF = 4_000_000;
/** In the form that whoever reads it expects, whatever the repository or the person has set. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"];

interface Span {
  repository: string;
  /** Commits or trees. */
  from: string;
  to: string;
  /** Where objects are that the repository does not have. */
  objects?: string | undefined;
}

/** What a run changed, and the hash that an approval names: it covers the whole diff, however much of it is shown. */
export async function diffOf(
  { git, control }: { git: Git; control: ControlFiles },
  span: Span,
): Promise<Omit<RunDiff, "runId" | "delivery">> {
  const { repository, from, to, objects } = span;
  const at = { gitDir: repository, objects };
  const diff = (await git.run(at, ["diff", ...PLAIN, "--find-renames", "--binary", "--full-index", from, to])).out;
  const hash = createHash("sha256")
    .update(JSON.stringify([to, diff]))
    .digest("hex")
    .slice(0, 32);
  const truncated = diff.length > LONGEST_DIFF;
  return {
    base: from,
    head: to,
    hash,
    files: await changedFiles(git, span),
    controlFiles: await controlFilesBetween({ git, control }, span),
    diff: truncated ? diff.slice(0, LONGEST_DIFF).toWellFormed() : diff,
    truncated,
  };
}

/** Where `head` left `target`. */
export async function forkOf(git: Git, repository: string, ends: { target: string; head: string }): Promise<string> {
  const { code, out } = await git.run({ gitDir: repository }, ["merge-base", ends.target, ends.head], {
    allowed: [1],
  });
  if (code === 0) return out.trim();
  // Without anything in common all of it is new.
  return git.text({ gitDir: repository }, ["hash-object", "-t", "tree", "-w", "--stdin"]);
}

export async function changedFiles(git: Git, { repository, from, to, objects }: Span): Promise<ChangedFile[]> {
  const args = ["diff", ...PLAIN, "--no-renames", "--numstat", "-z", from, to];
  return (await git.list({ gitDir: repository, objects }, args)).map((text) => {
    const [added = "", removed = "", ...path] = text.split("\t");
    const isBinary = added === "-";
    return {
      path: path.join("\t"),
      additions: isBinary ? 0 : Number(added),
      deletions: isBinary ? 0 : Number(removed),
      binary: isBinary,
    };
  });
}
