import { markIn, type Redactor } from "../../store/secrets/redaction.ts";

const PACKED = [/[A-Za-z0-9+/_-]{8,4000}/g, /[A-Za-z0-9+_-]{8,4000}/g];
const HEXADECIMAL = /(?:[0-9a-f]{2}){6,2000}/gi;
const MOST_UNWRAPPED = 3;

/** Why a text may not leave the machine: it carries a value that is known to be secret, or stands where one was hidden. */
export function secretIn(text: string, redactor: Pick<Redactor, "known">): string | undefined {
  for (const form of formsOf(text)) {
    const mark = markIn(redactor.known(form));
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** As it is, and as whoever gets it would unwrap it: percent signs, base64 of both alphabets, hexadecimal, from the end. */
function* formsOf(text: string): Generator<string> {
  let form = text;
  for (let times = 0; times <= MOST_UNWRAPPED; times++) {
    yield form;
    yield [...form].reverse().join("");
    for (const [piece] of form.matchAll(HEXADECIMAL)) yield Buffer.from(piece, "hex").toString("utf8");
    for (const pattern of PACKED)
      for (const [piece] of form.matchAll(pattern))
        for (const from of [0, 1, 2, 3]) yield Buffer.from(piece.slice(from), "base64").toString("utf8");
    const opened = unescaped(form);
    if (opened === form) return;
    form = opened;
  }
}

function unescaped(text: string): string {
  return text.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
