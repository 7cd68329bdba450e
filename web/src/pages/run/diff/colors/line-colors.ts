import type { DiffFile, DiffLine } from "../diff-model.ts";
import { languageOf } from "./languages.ts";

/** A piece of a line in one color; without a kind in that of all text. */
export interface Segment {
  text: string;
  kind?: string;
}

export type Highlight = (code: string, language: string) => Segment[][];

/** Lines that are colored together, so that a comment over several lines is known as one. */
const LINES_TOGETHER = 200;
const LONGEST_BLOCK = 20_000;
const LONGEST_LINE = 500;
/** A text on which the highlighter takes longer is hostile or hopeless: the rest stays without colors. */
const TOO_SLOW_MS = 100;

interface Block {
  language: string;
  lines: DiffLine[];
}

type Colored = Pick<DiffFile, "path" | "hunks">;

/** The colors of the lines of some files, found when a line is first shown. */
export class LineColors {
  readonly #highlight: Highlight;
  readonly #now: () => number;
  readonly #blocks = new Map<DiffLine, Block>();
  readonly #known = new Map<DiffLine, Segment[]>();
  #isGivenUp = false;

  constructor(files: readonly Colored[], highlight: Highlight, now = () => performance.now()) {
    this.#highlight = highlight;
    this.#now = now;
    for (const { path, hunks } of files) {
      const language = languageOf(path);
      if (language === undefined) continue;
      for (const { lines } of hunks) {
        this.#share(
          language,
          lines.filter(({ kind }) => kind !== "added"),
        );
        // What is on both sides has the colors of the new one.
        this.#share(
          language,
          lines.filter(({ kind }) => kind !== "removed"),
        );
      }
    }
  }

  /** Undefined for a line without colors. */
  of(line: DiffLine): Segment[] | undefined {
    const block = this.#blocks.get(line);
    if (block !== undefined && !this.#known.has(line)) this.#color(block);
    return this.#known.get(line);
  }

  #share(language: string, lines: readonly DiffLine[]): void {
    for (let at = 0; at < lines.length; at += LINES_TOGETHER) {
      const block = { language, lines: lines.slice(at, at + LINES_TOGETHER) };
      const size = block.lines.reduce((sum, { text }) => sum + text.length, 0);
      const isFit = size <= LONGEST_BLOCK && block.lines.every(({ text }) => text.length <= LONGEST_LINE);
      if (isFit) for (const line of block.lines) this.#blocks.set(line, block);
    }
  }

  #color({ language, lines }: Block): void {
    if (this.#isGivenUp) return;
    const begun = this.#now();
    // A carriage return, or another break within a line, must not make two of it.
    const code = lines.map(({ text }) => text.replace(/[\r\n\u2028\u2029]/g, " ")).join("\n");
    const colored = this.#highlight(code, language);
    lines.forEach((line, at) => {
      if (this.#blocks.get(line)?.lines === lines) this.#known.set(line, fitted(line.text, colored[at] ?? []));
    });
    this.#isGivenUp = this.#now() - begun > TOO_SLOW_MS;
  }
}

/** The same pieces with the very characters of the line. */
function fitted(text: string, segments: readonly Segment[]): Segment[] {
  let at = 0;
  const pieces = segments.map((segment) => {
    const piece = { ...segment, text: text.slice(at, at + segment.text.length) };
    at += segment.text.length;
    return piece;
  });
  return at < text.length ? [...pieces, { text: text.slice(at) }] : pieces;
}

/** Changed words and colors of one line together. */
export function merged<Piece extends { text: string }>(
  pieces: readonly Piece[],
  segments: readonly Segment[] | undefined,
): (Piece & { kind?: string | undefined })[] {
  if (segments === undefined) return [...pieces];
  const ends = segments.map(({ text }) => text.length);
  let place = 0;
  let left = ends[0] ?? 0;
  return pieces.flatMap((piece) => {
    const parts: (Piece & { kind?: string | undefined })[] = [];
    for (let at = 0; at < piece.text.length; ) {
      while (left === 0 && place < ends.length - 1) left = ends[++place] ?? 0;
      const length = left === 0 ? piece.text.length - at : Math.min(left, piece.text.length - at);
      parts.push({ ...piece, text: piece.text.slice(at, at + length), kind: segments[place]?.kind });
      at += length;
      left = Math.max(0, left - length);
    }
    return parts;
  });
}
