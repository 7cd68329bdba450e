import { isDeepStrictEqual } from "node:util";
import type { Entry, Layout } from "./yaml-layout.ts";
import { renderEntry, renderFlow, renderItems, renderValue } from "./yaml-render.ts";

interface Splice {
  from: number;
  to: number;
  text: string;
}

interface Edit {
  /** Undefined takes the key away. */
  changes: ReadonlyMap<string, unknown>;
  eol: string;
}

/**
 * Changes keys of a YAML source by replacing only their own bytes. Undefined when a key is written in a way that
 * has no place of its own. The caller must read the result again: this trusts the layout, not YAML.
 */
export function editSource(source: string, layout: Layout, { changes, eol }: Edit): string | undefined {
  const places = new Map(layout.entries.map((entry) => [entry.key, entry]));
  const splices: Splice[] = [];
  let added = "";
  for (const [key, value] of changes) {
    const entry = places.get(key);
    if (!entry && Object.hasOwn(layout.data, key)) return undefined;
    if (!entry) added += value === undefined ? "" : renderEntry(key, value, eol);
    else if (value === undefined) splices.push({ from: entry.start, to: entry.end, text: "" });
    else splices.push(replaceValue(source, entry, { value, was: layout.data[key], eol }));
  }
  return applySplices(source, splices) + added;
}

function replaceValue(source: string, entry: Entry, change: { value: unknown; was: unknown; eol: string }): Splice {
  const { value, was, eol } = change;
  const more = itemsAdded(was, value);
  if (more && entry.listIndent !== undefined) {
    return { from: entry.end, to: entry.end, text: renderItems(more.map(renderFlow), entry.listIndent, eol) };
  }
  const { head, gap, comment } = splitKeyLine(source, entry);
  const rendered = renderValue(value);
  const text =
    "inline" in rendered
      ? head + gap + rendered.inline + comment + eol
      : head + comment + eol + renderItems(rendered.items, 2, eol);
  return { from: entry.start, to: entry.end, text };
}

/** What a longer list has behind the items it shares with the shorter one. */
function itemsAdded(was: unknown, value: unknown): unknown[] | undefined {
  if (!Array.isArray(was) || !Array.isArray(value) || value.length <= was.length) return undefined;
  return isDeepStrictEqual(value.slice(0, was.length), was) ? value.slice(was.length) : undefined;
}

/** The parts of a key's line that outlive its value: 'key:', the space behind it, and the comment at the end. */
function splitKeyLine(source: string, entry: Entry): { head: string; gap: string; comment: string } {
  const { start, colon, valueStart, valueEnd } = entry;
  const lineBreak = source.indexOf("\n", colon);
  const lineEnd = source[lineBreak - 1] === "\r" ? lineBreak - 1 : lineBreak;
  const standsBelow = valueStart > lineEnd;
  const gap = standsBelow ? "" : source.slice(colon + 1, valueStart);
  const rest = standsBelow ? source.slice(colon + 1, lineEnd) : source.slice(valueEnd, Math.max(valueEnd, lineEnd));
  return {
    head: source.slice(start, colon + 1),
    gap: gap.trim() === "" && gap !== "" ? gap : " ",
    comment: rest.trim() === "" || rest.trimStart().startsWith("#") ? rest : "",
  };
}

function applySplices(source: string, splices: Splice[]): string {
  let result = "";
  let done = 0;
  for (const { from, to, text } of splices.sort((one, other) => one.from - other.from || one.to - other.to)) {
    result += source.slice(done, from) + text;
    done = to;
  }
  return result + source.slice(done);
}
