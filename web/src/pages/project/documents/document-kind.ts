export type DocumentKind = "markdown" | "json" | "text";

/** More than this makes a page slow; the whole of it is in the file. */
export const MOST_SHOWN = 200_000;

export function documentKind(path: string): DocumentKind {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  if (ending === "md" || ending === "markdown") return "markdown";
  return ending === "json" ? "json" : "text";
}

/** JSON in lines, as it is when it cannot be read as JSON. */
export function shownJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The name of a file alone. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name in a list: without the number of the run that wrote it, which says nothing to a person. */
export function shelfName(path: string): string {
  return baseName(path).replace(/-run-[0-9a-z]{22}(?=\.|-|$)/, "");
}

/** What belongs together under one heading, in the order in which it comes. */
export function grouped<Item>(items: readonly Item[], by: (item: Item) => string): [string, Item[]][] {
  return [...Map.groupBy(items, by)];
}
