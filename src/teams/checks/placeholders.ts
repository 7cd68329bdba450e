import { proseLines } from "./markdown-lines.ts";

interface Placeholder {
  line: number;
  text: string;
}

const MOST = 20;

/** Only where it stands for something: a sentence about a to-do list has the word, too. */
const MARKER = "TODO|TBD|TBC|TBA|FIXME|XXX|TK|WIP|N\\.?N\\.";
/** Words that people put into angle brackets for what is still to be filled in. */
const STANDS_FOR = new Set([
  ...["name", "title", "description", "date", "author", "version", "value", "text", "content", "placeholder", "path"],
  ...[
    "url",
    "link",
    "email",
    "number",
    "id",
    "reason",
    "example",
    "topic",
    "summary",
    "project",
    "role",
    "task",
    "file",
  ],
]);
/** Elements that Markdown documents use, beside code. */
const ELEMENTS = new Set([
  ...["a", "abbr", "b", "blockquote", "br", "center", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt"],
  ...[
    "em",
    "figcaption",
    "figure",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
  ],
  ...[
    "li",
    "mark",
    "ol",
    "p",
    "picture",
    "pre",
    "q",
    "s",
    "samp",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "sub",
  ],
  ...["summary", "sup", "svg", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var", "video"],
]);

const PATTERNS: readonly RegExp[] = [
  // Alone in its line, list item or cell, or in front of what is to be done.
  new RegExp(`^[\\s>*+\\-#\\d.|()\\[\\]xX]*\\**(?:${MARKER})\\**\\s*(?:[:.…\\]|)-]|$)`),
  new RegExp(`[|:]\\s*\\**(?:${MARKER})\\**\\s*(?:\\||$)`),
  new RegExp(`[[({]\\s*(?:${MARKER})\\b[^\\])}]{0,100}[\\])}]`),
  // As an order; what is said about such marks begins with a noun.
  /^[\s>*+\-#\d.|()[\]xX]*\**(?:TODO|FIXME|XXX)\**\s+(?!(?:comment|item|list|app|mark|entr|tag|note|file)[a-z]*\b)[a-z]/,
  /\b(?:TODO|FIXME|TBD)(?::|\([a-z]+\):)/,
  /\blorem ipsum\b/i,
  /\[(?:insert|your|add|describe|enter|fill in|placeholder|to be)\b[^\]]{0,100}\](?!\()/i,
  /\{\{\s*[\w .-]{1,60}\s*\}\}/,
  /\b(?:placeholder text|text goes here|content goes here|to be (?:written|filled in|completed|determined|decided later|added later))\b/i,
  /\b(?:your|add|insert|some) (?:text|content|description|details) here\b/i,
  /^[\s>*_+\-|(]*(?:to be (?:added|announced|confirmed|defined|documented|provided|specified)|not (?:yet )?written(?: yet)?|placeholder)[\s*_.!|)]*$/i,
  /^[\s>*_+\-|(]*\?{3,}[\s*_|)]*$/,
  /^\s*(?:[-*+]\s*)?(?:coming soon|to be done|\.{3}|…)[.!]?\s*$/i,
];
const ANGLED = /<([a-z][\w -]{0,60})>/gi;

/** Text that stands for what is still to be written. Deterministic; code is left out. */
export function placeholdersIn(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (const { number, text: line } of proseLines(text)) {
    const match = PATTERNS.map((pattern) => pattern.exec(line)?.[0]).find((one) => one !== undefined) ?? angledIn(line);
    if (match !== undefined) found.push({ line: number, text: match.trim().slice(0, 80) });
    if (found.length >= MOST) break;
  }
  return found;
}

/** `<doc-name>` and `<name>`, but no elements of HTML. */
function angledIn(line: string): string | undefined {
  for (const [whole, inner = ""] of line.matchAll(ANGLED)) {
    const word = inner.trim().toLowerCase();
    const isClosed = line.toLowerCase().includes(`</${word}>`);
    const first = word.split(/[ ]/)[0] ?? "";
    if (isClosed || (ELEMENTS.has(first) && word !== "summary")) continue;
    if (word === "summary" && line.includes("</summary>")) continue;
    if (/[-_ ]/.test(word) || STANDS_FOR.has(word)) return whole;
  }
  return undefined;
}
