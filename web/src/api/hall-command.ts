import type { Status } from "../../../src/contract/hall-routes.ts";

/** The workspace of the hall behind this address, known also while nobody is there to be asked; absent of the usual one. */
const NAME = "guildhall.workspace";
const ONE_WORD = /^[\w./-]+$/;

export function keepWorkspace({ workspace, isUsualWorkspace }: Pick<Status, "workspace" | "isUsualWorkspace">): void {
  if (isUsualWorkspace) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, workspace);
}

/** The command line that does something with this very hall: `guildhall up`. */
export function hallCommand(words: string): string {
  return commandIn(words, localStorage.getItem(NAME) ?? undefined);
}

export function commandIn(words: string, workspace: string | undefined): string {
  if (workspace === undefined) return `guildhall ${words}`;
  const word = ONE_WORD.test(workspace) ? workspace : `'${workspace.replaceAll("'", "'\\''")}'`;
  return `guildhall ${words} --workspace ${word}`;
}
