import { WebRefusal } from "./web-refusal.ts";

export interface WebContent {
  kind: "html" | "text";
  text: string;
}

const HTML_TYPES = ["text/html", "application/xhtml+xml"];
const TEXT_TYPE =
  /^(?:text\/[\w.+-]+|application\/(?:json|ld\+json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql|graphql|[\w.-]+\+(?:json|xml|yaml)))$/;
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{2,40})/i;
/** Characters that are not seen but read: controls, directions, tags, and a byte order mark. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Whether a type can be read at all; told before the body is. Without a type, its first bytes decide. */
export function assertReadable(contentType: string | undefined, length: string | undefined): void {
  const type = typeOf(contentType);
  if (type === "" || HTML_TYPES.includes(type) || TEXT_TYPE.test(type)) return;
  const size = length === undefined ? "of unknown size" : `${length} bytes`;
  throw new WebRefusal(`it is '${type.slice(0, 80)}' (${size}); only web pages and text are supported`);
}

/** The text of an answer, whatever its character set. */
export function contentOf(body: Buffer, contentType: string | undefined): WebContent {
  const type = typeOf(contentType);
  const isHtml = HTML_TYPES.includes(type) || (type === "" && /^\s*<(?:!doctype html|html)/i.test(startOf(body)));
  const charset = charsetOf(body, contentType, isHtml);
  const text = new TextDecoder(charset).decode(body);
  if (!charset.startsWith("utf-16") && body.subarray(0, 8_000).includes(0))
    throw new WebRefusal(`it is binary (${body.length} bytes), though it says '${type.slice(0, 80) || "nothing"}'`);
  return { kind: isHtml ? "html" : "text", text: isHtml ? text : withoutUnseen(text) };
}

export function withoutUnseen(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(UNSEEN, (character) => (character === "\n" || character === "\t" ? character : ""));
}

function typeOf(contentType = ""): string {
  return (contentType.split(";")[0] as string).trim().toLowerCase();
}

function charsetOf(body: Buffer, contentType = "", isHtml: boolean): string {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  const said = /charset\s*=\s*["']?([\w.:-]{2,40})/i.exec(contentType)?.[1];
  const written = isHtml ? META_CHARSET.exec(startOf(body))?.[1] : undefined;
  // A page that can be searched for its meta element is not UTF-16, whatever the element says.
  const label = said ?? (/^utf-?16/i.test(written ?? "") ? "utf-8" : written) ?? "utf-8";
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return "utf-8";
  }
}

function startOf(body: Buffer): string {
  return body.subarray(0, 2_048).toString("latin1");
}
