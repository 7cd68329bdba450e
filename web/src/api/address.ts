/** What an address says after the question mark: texts under their names. No value is anything but text, whatever it looks like. */
export type Said = Partial<Record<string, string>>;

export function saidIn(search: string): Said {
  return Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ""));
}

/** With its question mark; what says nothing is left out. */
export function searchText(said: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(said))
    if (value !== undefined && value !== "") search.set(name, String(value));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

/** The words that a table has something for. */
export function wordsOf<Word extends string>(table: Record<Word, unknown>): Word[] {
  return Object.keys(table) as Word[];
}

/** What was said, if it is one of the words that have a meaning here. */
export function oneOf<Word extends string>(words: readonly Word[], said: string | undefined): Word | undefined {
  return words.find((word) => word === said);
}
