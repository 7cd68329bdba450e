const NAME = "guildhall.project.last";

/** The project that was looked at last, or got a task. */
export function lastProject(): string | undefined {
  return localStorage.getItem(NAME) ?? undefined;
}

/** A full storage must not keep anybody from working. */
export function keepLastProject(id: string): void {
  try {
    localStorage.setItem(NAME, id);
  } catch {}
}
