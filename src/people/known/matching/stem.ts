const IRREGULAR: Readonly<Record<string, string>> = {
  kept: "keep",
  sent: "send",
  written: "write",
  wrote: "write",
  built: "build",
  rebuilt: "rebuild",
  ran: "run",
  chosen: "choose",
  lost: "lose",
  held: "hold",
  hidden: "hide",
  shown: "show",
  thrown: "throw",
  drawn: "draw",
  found: "find",
  cancelled: "cancel",
  cancelling: "cancel",
  cancellation: "cancel",
};

/** Words that an ending would turn into another word. */
const WHOLE = new Set(
  "production product session version question region option station business address process access status analysis news series always alias bus gas lens red bed feed seed speed need exceed proceed string thing something anything everything king ring spring morning evening building ceiling during table variable available reliable portable executable enable disable private climate template estimate date state rate update create delegate private gate immediate duplicate ultimate environment document comment segment element department moment payment shipment".split(
    " ",
  ),
);

const VOWEL = /[aeiouy]/;

/** Enough of Porter's rules that `deploys`, `deployed` and `deployment` are one word, and `product` and `production` are two. */
export function stem(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return withoutE(irregular);
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  return withoutE(derived(inflected(singular(word))));
}

function singular(word: string): string {
  if (WHOLE.has(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function inflected(word: string): string {
  if (WHOLE.has(word)) return word;
  if (/ied$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  const base = /^(.{3,})(?:ing|ed)$/.exec(word)?.[1];
  if (base === undefined || !VOWEL.test(base)) return word;
  return /[^e]at$/.test(base) ? `${base}e` : undoubled(base);
}

function derived(word: string): string {
  if (WHOLE.has(word)) return word;
  for (const [ending, becomes] of ENDINGS) {
    const base = word.endsWith(ending) ? word.slice(0, -ending.length) : "";
    if (base.length >= 4) return becomes === "" ? undoubled(base) : `${base}${becomes}`;
  }
  return word;
}

const ENDINGS: readonly [string, string][] = [
  ["ification", "ify"],
  ["ically", "ic"],
  ["ation", ""],
  ["ate", ""],
  ["ment", ""],
  ["ion", ""],
  ["able", ""],
];

function undoubled(word: string): string {
  return /([bdfgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutE(word: string): string {
  return word.length > 3 && word.endsWith("e") && !word.endsWith("ee") ? word.slice(0, -1) : word;
}
