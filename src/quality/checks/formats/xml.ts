/** One event of a document. Texts are decoded; nothing a document declares is expanded. */
export type XmlEvent =
  | { type: "open"; name: string; attributes: Readonly<Record<string, string>> }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const NAME = /[A-Za-z_:][\w:.-]{0,100}/y;
const ATTRIBUTE = /\s+([A-Za-z_:][\w:.-]{0,100})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;

/**
 * Reads a document piece by piece. Ends without a word where it is not well-formed: the caller sees what is missing.
 * Declarations are passed over, so an entity that a document declares stays as it is written.
 */
export function* xmlEvents(source: string): Generator<XmlEvent> {
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf("<", at);
    if (open !== at) {
      yield { type: "text", text: decoded(source.slice(at, open === -1 ? undefined : open)) };
      if (open === -1) return;
    }
    const special = SPECIAL.find(({ start }) => source.startsWith(start, open));
    if (special !== undefined) {
      const from = open + special.start.length;
      const end = source.indexOf(special.end, from);
      if (end === -1) return;
      if (special.isText) yield { type: "text", text: source.slice(from, end) };
      at = end + special.end.length;
      continue;
    }
    const tag = tagAt(source, open);
    if (tag === undefined) return;
    yield* tag.events;
    at = tag.end;
  }
}

const SPECIAL: readonly { start: string; end: string; isText?: true }[] = [
  { start: "<!--", end: "-->" },
  { start: "<![CDATA[", end: "]]>", isText: true },
  { start: "<?", end: "?>" },
  // With declarations in it.
  { start: "<!", end: ">" },
];

function tagAt(source: string, open: number): { events: XmlEvent[]; end: number } | undefined {
  const isClosing = source[open + 1] === "/";
  NAME.lastIndex = open + (isClosing ? 2 : 1);
  const name = NAME.exec(source)?.[0];
  if (name === undefined) return undefined;
  let at = NAME.lastIndex;
  const attributes: Record<string, string> = {};
  if (!isClosing)
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const found = ATTRIBUTE.exec(source);
      if (found === null) break;
      attributes[found[1] ?? ""] = decoded(found[2] ?? found[3] ?? "");
      at = ATTRIBUTE.lastIndex;
    }
  const end = source.indexOf(">", at);
  if (end === -1 || source.slice(at, end).trim().replace(/^\/$/, "") !== "") return undefined;
  if (isClosing) return { events: [{ type: "close", name }], end: end + 1 };
  const isEmpty = source[end - 1] === "/";
  const opened = { type: "open" as const, name, attributes };
  return { events: isEmpty ? [opened, { type: "close", name }] : [opened], end: end + 1 };
}

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? (whole as string);
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
}
