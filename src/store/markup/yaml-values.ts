import type { Node, Pair } from "yaml";
import { isPrototypeKey, LIMITS } from "./yaml-layout.ts";
import { yaml } from "./yaml-package.ts";

/** YAML that is well-formed but not accepted. Thrown only inside the reading of one source, which catches it. */
export class Refusal extends Error {
  readonly offset: number;

  constructor(offset: number, reason: string) {
    super(reason);
    this.offset = offset;
  }
}

/** What an anchor stands for; `undefined` while the node that carries it is still being read. */
type Anchors = Map<string, { value: unknown } | undefined>;

interface Reading {
  anchors: Anchors;
  aliases: number;
  aliasValues: number;
  lineOf(offset: number): number;
}

/** The plain data of a document's root, which must be a mapping or nothing at all. */
export function convertRoot(root: Node | null, source: string): Record<string, unknown> {
  if (root === null) return {};
  if (!yaml().isMap(root))
    throw new Refusal(offsetOf(root), "the frontmatter must be a mapping of keys to values, such as 'id: TASK-001'");
  const reading: Reading = {
    anchors: new Map(),
    aliases: 0,
    aliasValues: 0,
    lineOf: (offset) => source.slice(0, offset).split("\n").length,
  };
  return convert(root, reading, 1) as Record<string, unknown>;
}

function convert(node: unknown, reading: Reading, depth: number): unknown {
  if (yaml().isAlias(node)) return convertAlias(node, reading, depth);
  if (yaml().isScalar(node)) return anchored(node, reading, () => node.value);
  if (!yaml().isMap(node) && !yaml().isSeq(node)) return null;
  refuseDepth(depth, offsetOf(node));
  return anchored(node, reading, () =>
    yaml().isSeq(node)
      ? node.items.map((item) => convert(item, reading, depth + 1))
      : convertPairs(node.items as Pair[], reading, depth + 1),
  );
}

function convertPairs(pairs: readonly Pair[], reading: Reading, depth: number): Record<string, unknown> {
  const tooMany = pairs[LIMITS.keys];
  if (tooMany) throw new Refusal(offsetOf(tooMany.key), `the frontmatter has more than ${LIMITS.keys} keys`);
  const data: Record<string, unknown> = {};
  const firstOffsets = new Map<string, number>();
  for (const { key: node, value } of pairs) {
    const key = String(convert(node, reading, depth));
    const offset = offsetOf(node);
    if (isPrototypeKey(key)) throw new Refusal(offset, `the key '${key}' is not allowed`);
    const first = firstOffsets.get(key);
    if (first !== undefined) throw new Refusal(offset, duplicate(key, reading.lineOf(first), reading.lineOf(offset)));
    firstOffsets.set(key, offset);
    data[key] = convert(value, reading, depth);
  }
  return data;
}

/** Lines of the source are one less than lines of the file, which starts with the fence. */
function duplicate(key: string, first: number, second: number): string {
  return `the key '${key}' is duplicated, on lines ${first + 1} and ${second + 1}`;
}

function anchored(node: Node & { anchor?: string }, reading: Reading, read: () => unknown): unknown {
  if (!node.anchor) return read();
  reading.anchors.set(node.anchor, undefined);
  const value = read();
  reading.anchors.set(node.anchor, { value });
  return value;
}

function convertAlias(alias: Node & { source: string }, reading: Reading, depth: number): unknown {
  const offset = offsetOf(alias);
  const name = alias.source;
  if (!reading.anchors.has(name)) throw new Refusal(offset, `the alias '*${name}' has no anchor before it`);
  const anchor = reading.anchors.get(name);
  if (!anchor) throw new Refusal(offset, `the alias '*${name}' is inside its own anchor`);
  if (++reading.aliases > LIMITS.aliases)
    throw new Refusal(offset, `the frontmatter has more than ${LIMITS.aliases} aliases`);
  return copy(anchor.value, { reading, depth, offset });
}

/** Each alias gets its own copy: with shared ones, a change to one key would show under another. */
function copy(value: unknown, place: { reading: Reading; depth: number; offset: number }): unknown {
  if (++place.reading.aliasValues > LIMITS.aliasValues) throw new Refusal(place.offset, "the aliases repeat too much");
  if (typeof value !== "object" || value === null) return value;
  refuseDepth(place.depth, place.offset);
  const inner = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) return value.map((item) => copy(item, inner));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, inner)]));
}

function refuseDepth(depth: number, offset: number): void {
  if (depth > LIMITS.depth) throw new Refusal(offset, `the frontmatter is nested deeper than ${LIMITS.depth} levels`);
}

function offsetOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
}
