export const LISTS = [
  ["goals", "Goals"],
  ["nonGoals", "Non-goals"],
  ["risks", "Risks"],
  ["definitionOfDone", "Definition of done"],
] as const;
export const TEXTS = [
  ["current", "Current behavior"],
  ["expected", "Expected behavior"],
  ["unchanged", "Unchanged behavior"],
] as const;

export type Field = (typeof LISTS)[number][0] | (typeof TEXTS)[number][0];

/** The headings of `spec.md`, in lower case, by what they hold. */
export const SECTIONS: ReadonlyMap<string, Field> = new Map(
  [...LISTS, ...TEXTS].map(([field, heading]) => [heading.toLowerCase(), field]),
);
