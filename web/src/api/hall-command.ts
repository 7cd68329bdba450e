/** The workspace of the hall behind this address, known also while nobody is there to be asked. */
const NAME = "guildhall.workspace";
const USUAL = /^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+)\/\.guildhall$/;
const ONE_WORD = /^[\w./-]+$/;

export function keepWorkspace(path: string): void {
  localStorage.setItem(NAME, path);
}

/** The command line that does something with this very hall: `guildhall up`. */
export function hallCommand(words: string): string {
  return commandIn(words, localStorage.getItem(NAME) ?? undefined);
}

export function commandIn(words: string, workspace: string | undefined): string {
  if (workspace === undefined || USUAL.test(workspace)) return `guildhall ${words}`;
  const word = ONE_WORD.test(workspace) ? workspace : `'${workspace.replaceAll("'", "'\\''")}'`;
  return `guildhall ${words} --workspace ${word}`;
}
