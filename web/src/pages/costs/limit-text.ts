/** A limit as a person writes it: empty is none (null), `$1,500.50` is a number, anything else undefined. */
export function limitOf(text: string): number | null | undefined {
  const bare = text.trim().replace(/^\$/, "").replaceAll(",", "");
  if (bare === "") return null;
  const value = Number(bare);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The same in a project, whose runs may have no limit although the hall has one: `none`. Empty leaves it to the hall (null). */
export function ownRunLimitOf(text: string): number | "none" | null | undefined {
  return text.trim().toLowerCase() === "none" ? "none" : limitOf(text);
}
