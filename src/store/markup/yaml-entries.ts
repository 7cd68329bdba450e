import type { Node, Pair } from "yaml";
import type { Entry } from "./yaml-layout.ts";
import { yaml } from "./yaml-package.ts";

/**
 * Where the keys of a block mapping stand. Left out are keys that a text edit could not be trusted with:
 * those of a flow mapping, indented ones, and explicit ones ('? key').
 */
export function locateEntries(root: Node | null, source: string): Entry[] {
  if (!yaml().isMap(root) || root.flow) return [];
  const entries: Entry[] = [];
  let line = 1;
  let counted = 0;
  for (const pair of root.items as Pair[]) {
    const entry = locate(pair, source);
    if (!entry) continue;
    for (; counted < entry.start; counted++) if (source.charCodeAt(counted) === 10) line++;
    entries.push({ ...entry, line });
  }
  return entries;
}

function locate({ key, value }: Pair, source: string): Omit<Entry, "line"> | undefined {
  if (!yaml().isScalar(key) || !key.range || key.anchor) return undefined;
  const [start, keyEnd] = key.range;
  const colon = source.indexOf(":", keyEnd);
  const atLineStart = start === 0 || source[start - 1] === "\n";
  if (!atLineStart || colon === -1 || source.slice(keyEnd, colon).trim() !== "") return undefined;
  const range = (value as Node | null)?.range;
  const isEmpty = !range || range[0] === range[1];
  const valueStart = isEmpty ? colon + 1 : range[0];
  const valueEnd = isEmpty ? colon + 1 : range[1];
  const end = endOfLine(source, valueEnd);
  return {
    key: String(key.value),
    start,
    colon,
    valueStart,
    valueEnd,
    end: yaml().isCollection(value) ? withoutComments(source, { from: valueStart, to: end }) : end,
    listIndent: undefined,
  };
}

/** A block value ends behind its last line break, any other before it. */
function endOfLine(source: string, valueEnd: number): number {
  if (source[valueEnd - 1] === "\n") return valueEnd;
  const lineBreak = source.indexOf("\n", valueEnd);
  return lineBreak === -1 ? source.length : lineBreak + 1;
}

/** Comments below the last item count as part of a block collection in YAML; here they stand for themselves. */
function withoutComments(source: string, { from, to }: { from: number; to: number }): number {
  for (let end = to; end > from; ) {
    const start = source.lastIndexOf("\n", end - 2) + 1;
    const line = source.slice(start, end).trim();
    if (line !== "" && !line.startsWith("#")) return end;
    end = start;
  }
  return to;
}
