/**
 * Names in git are bytes, here read as one character each. A byte that is not UTF-8 becomes a lone surrogate, as in Python's
 * `surrogateescape`, so that every path leads back to its bytes.
 */
const ESCAPE = 0xdc00;

export function pathOfBytes(bytes: string): string {
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.includes("\ufffd") ? escaped(Buffer.from(bytes, "latin1")) : text;
}

export function bytesOfPath(path: string): string {
  if (path.isWellFormed()) return Buffer.from(path, "utf8").toString("latin1");
  return [...path]
    .map((letter) => {
      const code = letter.charCodeAt(0);
      const isByte = letter.length === 1 && code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff;
      return isByte ? String.fromCharCode(code - ESCAPE) : Buffer.from(letter, "utf8").toString("latin1");
    })
    .join("");
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function escaped(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isText(bytes.subarray(at, at + size)));
    text +=
      length === undefined
        ? String.fromCharCode(ESCAPE + (bytes[at] ?? 0))
        : strict.decode(bytes.subarray(at, at + length));
    at += length ?? 1;
  }
  return text;
}

function isText(bytes: Buffer): boolean {
  try {
    return strict.decode(bytes).length > 0;
  } catch {
    return false;
  }
}
