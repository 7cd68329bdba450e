import { dirname } from "node:path";
import type { Clone } from "../../contract/documents/clone.ts";
import type { RepositoryAddress } from "../../contract/words/repository-address.ts";
import { removeLargeFolder } from "../../store/files/folders.ts";
import { placeToPrepare, putInPlace } from "../../store/files/new-folder.ts";
import { programPath } from "../../store/host/host-places.ts";
import { gitEnvironment } from "../git/git-environment.ts";
import { cloneEnvironment } from "./clone-environment.ts";
import { cloneFailure, failureOf, progressIn } from "./clone-failure.ts";
import { type GitEnd, runGit } from "./git-process.ts";

interface Around {
  env: Readonly<Record<string, string | undefined>>;
  umask: number;
  agentFolders: readonly string[];
  signal: AbortSignal;
  onProgress: (progress: Pick<Clone, "phase" | "percent">) => void;
}

type Outcome = Pick<Clone, "state" | "isEmpty" | "failure">;

/** No hooks, templates, submodules or files: those come in a step of their own, without the person's settings. */
const FETCH = ["clone", "--progress", "--no-checkout", "--no-local", "--no-recurse-submodules", "--template="];

/**
 * Clones into a folder that is missing or empty. It is prepared beside it and moved to its place at the end; what is
 * prepared goes when anything fails. Never rejects.
 */
export async function cloneInto(folder: string, address: RepositoryAddress, around: Around): Promise<Outcome> {
  let prepared: string | undefined;
  try {
    prepared = placeToPrepare(folder);
    const outcome = await fetched(prepared, address, around);
    if (outcome.state === "done") {
      putInPlace(prepared, folder);
      return outcome;
    }
    await removeLargeFolder(prepared);
    return outcome;
  } catch (error) {
    if (prepared !== undefined) await removeLargeFolder(prepared).catch(() => undefined);
    const detail = error instanceof Error && "code" in error ? `(${String(error.code)})` : "";
    return { state: "failed", failure: cloneFailure("folder", detail) };
  }
}

async function fetched(prepared: string, address: RepositoryAddress, around: Around): Promise<Outcome> {
  const path = programPath(around.agentFolders);
  const onLine = (line: string) => {
    const progress = progressIn(line);
    if (progress !== undefined) around.onProgress(progress);
  };
  const { umask, signal } = around;
  const run = (args: readonly string[], env: Record<string, string>, cwd: string): Promise<GitEnd> =>
    runGit({ args, env, cwd, umask, signal, onLine });
  const ended = (end: GitEnd): Outcome =>
    signal.aborted
      ? { state: "cancelled" }
      : { state: "failed", failure: failureOf(end, address.credentials?.password || undefined) };

  const env = cloneEnvironment(address, { env: around.env, path });
  const clone = await run([...FETCH, "--", address.url, prepared], env, dirname(prepared));
  if (clone.code !== 0) return ended(clone);
  const own = gitEnvironment(path);
  const tip = await run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], own, prepared);
  if (signal.aborted) return ended(tip);
  if (tip.code !== 0) return { state: "done", isEmpty: true };
  around.onProgress({ phase: "checkout", percent: 0 });
  const checkout = await run(["checkout", "--progress", "--force"], own, prepared);
  return checkout.code === 0 ? { state: "done" } : ended(checkout);
}
