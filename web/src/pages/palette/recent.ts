/** What was chosen lately in the palette, the newest first. */
const NAME = "guildhall.palette.recent";
const MOST = 8;

export function recentIds(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** A full storage must not keep anybody from going somewhere. */
export function keepRecent(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((each) => each !== id)];
    localStorage.setItem(NAME, JSON.stringify(ids.slice(0, MOST)));
  } catch {}
}
