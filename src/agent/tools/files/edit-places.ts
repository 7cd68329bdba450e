/** A place where the text to be replaced stands. */
export interface Place {
  at: number;
  length: number;
}

interface Search {
  /** Whether places that overlap one before them count: where only one may be meant, they are two. */
  overlapping: boolean;
  /** After so many, no more are looked for. */
  most: number;
}

/**
 * Where a text occurs. Reading shows no carriage returns, so a line break fits one with a carriage return before it
 * too, unless the wanted text says itself which it means.
 */
export function placesOf(text: string, wanted: string, search: Search): Place[] {
  const isPlain = wanted.includes("\n") && !wanted.includes("\r") && text.includes("\r\n");
  const variants = isPlain ? [wanted, wanted.replaceAll("\n", "\r\n")] : [wanted];
  const places = variants
    .flatMap((variant) => occurrences(text, variant, search))
    .sort((left, right) => left.at - right.at);
  return search.overlapping ? places : apart(places);
}

function occurrences(text: string, wanted: string, { overlapping, most }: Search): Place[] {
  const places: Place[] = [];
  const step = overlapping ? 1 : wanted.length;
  for (let at = text.indexOf(wanted); at !== -1 && places.length < most; at = text.indexOf(wanted, at + step))
    places.push({ at, length: wanted.length });
  return places;
}

function apart(places: Place[]): Place[] {
  let end = 0;
  return places.filter(({ at, length }) => {
    const isFree = at >= end;
    if (isFree) end = at + length;
    return isFree;
  });
}

/** The text with the places replaced. Line breaks of what is put in become those of the lines around it. */
export function replaceAt(text: string, places: readonly Place[], newText: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const place of places) {
    pieces.push(text.slice(from, place.at), newText.includes("\r") ? newText : withBreaksOf(text, place, newText));
    from = place.at + place.length;
  }
  return [...pieces, text.slice(from)].join("");
}

function withBreaksOf(text: string, { at, length }: Place, newText: string): string {
  const inside = text.slice(at, at + length).indexOf("\n");
  const after = text.indexOf("\n", at + length);
  const near = inside !== -1 ? at + inside : after !== -1 ? after : text.lastIndexOf("\n", at);
  return text[near - 1] === "\r" ? newText.replaceAll("\n", "\r\n") : newText;
}

/** The number of the line that a position is in, from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
