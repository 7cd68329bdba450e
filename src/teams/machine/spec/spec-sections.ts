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

/** Sections of `spec.md` that a person added and the hall does not know, as they are. */
export function ownSections(text: string): string {
  const kept: string[] = [];
  let isOwn = false;
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const heading = isFenced ? undefined : /^#{1,2}\s+(.*?)\s*#*\s*$/.exec(line)?.[1]?.toLowerCase();
    if (heading !== undefined) isOwn = line.startsWith("##") && heading !== "requirements" && !SECTIONS.has(heading);
    if (isOwn) kept.push(line);
  }
  return kept.join("\n").trimEnd();
}
