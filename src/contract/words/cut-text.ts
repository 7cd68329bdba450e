/** The first `longest` characters of a text, and the mark where there were more. No character is split. */
export function cutText(text: string, longest: number, mark: string | ((rest: number) => string) = "…"): string {
  if (text.length <= longest) return text;
  const kept = text.slice(0, Math.max(0, longest)).replace(/[\ud800-\udbff]$/, "");
  return `${kept.toWellFormed()}${typeof mark === "string" ? mark : mark(text.length - kept.length)}`;
}

/** How a text begins and how it ends, where what is between does not fit; `head` is the share of its beginning. */
export function cutMiddle(
  text: string,
  longest: number,
  { head = 0.5, mark }: { head?: number; mark: string | ((rest: number) => string) },
): string {
  if (text.length <= longest) return text;
  const before = Math.floor(longest * head);
  const after = Math.floor(longest) - before;
  const between = typeof mark === "string" ? mark : mark(text.length - before - after);
  return `${text.slice(0, before)}${between}${after > 0 ? text.slice(-after) : ""}`.toWellFormed();
}
