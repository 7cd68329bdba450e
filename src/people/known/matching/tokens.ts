import { canonical, NEGATIONS, NOISE, NUMBER_WORDS, PHRASES } from "./vocabulary.ts";

/**
 * `word`: it says what the question is about. `number`: with its sign and digits. `code`: an identifier, path or option, kept
 * whole. `focus`: what is asked for, such as a place. `noise`: grammar. `end`: punctuation, `or` and `and`, between two parts.
 */
export interface Token {
  kind: "word" | "number" | "code" | "focus" | "noise" | "end";
  text: string;
}

const PIECES = /`[^`]+`|[^\s]+/gu;
const EDGES = /^[("'“”‘’[{<*_]+|["'“”‘’\])}>*_.,;:!?]+$/gu;
const ENDS = /[,;:!?)]["'”’]?$|\.$/u;
const CODE = /^--?[a-z]|[a-z][A-Z]|[\w)]\.[a-zA-Z]|_|\/|\\|::|^[~%$@#./]|\(\)|=>|^[A-Z]{2,}-\d+$/u;
const AMOUNT = /^v?(\d[\d.:]*\d|\d)([a-z%]{0,3})$/u;

/** The question in words that can be compared. */
export function tokensOf(text: string): Token[] {
  return [...spelledOut(text).matchAll(PIECES)].flatMap(([piece]) =>
    piece.startsWith("`") ? quoted(piece) : plain(piece),
  );
}

function spelledOut(text: string): string {
  const parts = text
    .normalize("NFKC")
    .replace(/[’‘]/g, "'")
    .split(/(`[^`]+`)/u);
  return parts.map((part) => (part.startsWith("`") ? part : withPhrases(part))).join("");
}

/** Identifiers keep their capitals: only phrases of plain words are looked for. */
function withPhrases(text: string): string {
  // `plan A` is a name, `a plan` is not.
  let found = text
    .replace(/(?<=[a-z,] )A\b/g, "letterA")
    .replace(/[A-Za-z][\w'-]*/g, (word) => (CODE.test(word) ? word : word.toLowerCase()));
  for (const [phrase, becomes] of PHRASES) found = found.replace(phrase, becomes);
  return found
    .replace(/n't\b/g, " not")
    .replace(/'(?:s|re|ve|ll|d|m)\b/g, "")
    .replace(/[–—→]/g, " , ");
}

function quoted(piece: string): Token[] {
  const inside = piece.slice(1, -1).trim();
  return /^[a-zA-Z-]+$/.test(inside) && !CODE.test(inside) ? plain(inside) : [code(inside)];
}

function plain(piece: string): Token[] {
  const ends: Token[] = ENDS.test(piece) ? [{ kind: "end", text: "," }] : [];
  const bare = piece.replace(EDGES, "");
  if (bare === "") return ends;
  return [...(piece.startsWith("(") ? [{ kind: "end", text: "(" } as const] : []), ...one(bare), ...ends];
}

function one(bare: string): Token[] {
  if (bare.startsWith("@") && /^@(?:duration|count|frequency|when|place|who|why)$/.test(bare))
    return [{ kind: "focus", text: bare }];
  if (bare === "or" || bare === "and") return [{ kind: "end", text: bare }];
  if (bare === "but" || bare === "while") return [{ kind: "end", text: "and" }];
  const amount = AMOUNT.exec(bare.toLowerCase().replace(/(\d),(?=\d{3}\b)/g, "$1"));
  if (amount !== null) {
    const version: Token[] = /^v/i.test(bare) ? [{ kind: "word", text: canonical("version") }] : [];
    return [...version, { kind: "number", text: amount[1] as string }, ...word(amount[2] ?? "")];
  }
  if (/^[\w-]+\/[\w-]+$/.test(bare) && !/[A-Z_]/.test(bare)) return bare.split("/").flatMap((part) => one(part));
  if (CODE.test(bare)) return [code(bare)];
  return hyphenated(bare.toLowerCase());
}

/** `rate-limit` is two words; `opt-in` is one, because a part of it alone says nothing. */
function hyphenated(text: string): Token[] {
  const parts = text.split("-").filter((part) => part !== "");
  if (
    parts.length > 1 &&
    parts.some((part) => NOISE.has(part) || part.length < 3 || /^(?:out|off|up|down)$/.test(part))
  )
    return [{ kind: "word", text: canonical(parts.join("")) }];
  return parts.flatMap(word);
}

function word(text: string): Token[] {
  const plainText = text.replace(/[^\p{L}\p{N}+#%@.']/gu, "");
  if (plainText === "") return [];
  const number = NUMBER_WORDS[plainText];
  if (number !== undefined) return [{ kind: "number", text: number }];
  if (NEGATIONS.has(plainText)) return [{ kind: "word", text: "not" }];
  if (NOISE.has(plainText)) return [{ kind: "noise", text: plainText }];
  return [{ kind: "word", text: canonical(plainText) }];
}

/** `userId`, `user_id` and `user.id` are the same. */
function code(text: string): Token {
  const name = text.replace(/\(\)$/, "").replace(/[.,;:!?]+$/, "");
  if (/^[~%$./-]|\/|\\/.test(name)) return { kind: "code", text: name };
  const parts = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[\s_.:#-]+/);
  return { kind: "code", text: `${parts.join(" ").toLowerCase()}()` };
}
