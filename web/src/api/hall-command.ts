import type { Status } from "../../../src/contract/routes/hall-routes.ts";

/** How the hall behind this address is called, known also while nobody is there to be asked. */
interface Caller {
  /** Absent where it is the usual one. */
  workspace?: string | undefined;
  /** How its program is called, as a shell reads it. */
  calledAs?: string | undefined;
}

const WORKSPACE = "guildhall.workspace";
const CALLED_AS = "guildhall.called-as";
const NAME = "guildhall";
const ONE_WORD = /^[\w./-]+$/;

const watching = new Set<() => void>();

type Known = Pick<Status, "workspace" | "isUsualWorkspace" | "calledAs">;

export function keepCaller({ workspace, isUsualWorkspace, calledAs }: Known): void {
  if (isUsualWorkspace) localStorage.removeItem(WORKSPACE);
  else localStorage.setItem(WORKSPACE, workspace);
  localStorage.setItem(CALLED_AS, calledAs);
  for (const notify of watching) notify();
}

/** Answers how to stop it. */
export function watchCaller(notify: () => void): () => void {
  watching.add(notify);
  return () => void watching.delete(notify);
}

/** Whether it is known how a person calls the program here. */
export function isCallerKnown(): boolean {
  return localStorage.getItem(CALLED_AS) !== null;
}

/** The command line that does something with this very hall: `guildhall up`. */
export function hallCommand(words: string): string {
  const [workspace, calledAs] = [WORKSPACE, CALLED_AS].map((name) => localStorage.getItem(name) || undefined);
  return commandOf(words, { workspace, calledAs });
}

/** What needs no hall, such as the demo, which makes its own. */
export function programCommand(words: string): string {
  return commandOf(words, { calledAs: localStorage.getItem(CALLED_AS) || undefined });
}

export function commandOf(words: string, { workspace, calledAs = NAME }: Caller): string {
  if (workspace === undefined) return `${calledAs} ${words}`;
  const word = ONE_WORD.test(workspace) ? workspace : `'${workspace.replaceAll("'", "'\\''")}'`;
  return `${calledAs} ${words} --workspace ${word}`;
}
