const THOUSANDS = /^\d{1,3}(,\d{3})+(\.\d+)?$/;
const PLAIN = /^(\d+([.,]\d*)?|[.,]\d+)$/;

/**
 * A limit as a person writes it: empty is none (null), `$1,500.50` and `50,5` are numbers, anything else undefined. A comma is
 * never dropped unless it parts thousands: ten times too much money must not come of it.
 */
export function limitOf(text: string): number | null | undefined {
  const bare = text.trim().replace(/^\$/, "");
  if (bare === "") return null;
  if (THOUSANDS.test(bare)) return Number(bare.replaceAll(",", ""));
  return PLAIN.test(bare) ? Number(bare.replace(",", ".")) : undefined;
}

/** The same in a project, whose runs may have no limit although the hall has one: `none`. Empty leaves it to the hall (null). */
export function ownRunLimitOf(text: string): number | "none" | null | undefined {
  return text.trim().toLowerCase() === "none" ? "none" : limitOf(text);
}
