/** A node of what Markdown became, as far as it matters here. */
interface Worded {
  value?: string;
  children?: readonly unknown[];
}

export function wordsOf({ value, children = [] }: Worded): string {
  return value ?? children.map((child) => wordsOf(child as Worded)).join("");
}

/**
 * Where a link leads to, to be said beside words that say something else; "" when the words are the address. Undefined: it
 * leads to no page elsewhere, and is no link.
 */
export function placeOf(href: string, words: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url?.protocol === "mailto:") return words === url.pathname ? "" : url.pathname;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  // A name before an @ is not where it leads, however it looks.
  const isPlain = url.username === "" && url.password === "" && new Set([href, url.href, bare(href)]).has(words);
  return isPlain ? "" : url.host;
}

function bare(href: string): string {
  return href.replace(/^https?:\/\//, "");
}
