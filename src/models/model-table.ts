/** A version of a model that is the same model: `-20250929`, `-2025-08-07`, `@20250929`, `-latest`. */
const SAME_MODEL = /(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2})|-latest)$/;

/**
 * Finds what a table says of a model. A key is a model's id, or the beginning of one that ends in `*` or `/`; the id
 * itself goes before its dated versions, and those before the longest beginning.
 */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, model: string): Value | undefined {
  for (const id of [model, model.replace(SAME_MODEL, "")]) if (Object.hasOwn(table, id)) return table[id];
  let longest: string | undefined;
  for (const key in table)
    if (isBeginning(key, model) && (longest === undefined || key.length > longest.length)) longest = key;
  return longest === undefined ? undefined : table[longest];
}

function isBeginning(key: string, model: string): boolean {
  if (key.endsWith("*")) return model.startsWith(key.slice(0, -1));
  return key.endsWith("/") && model.startsWith(key);
}

interface Providers {
  providers: Readonly<Record<string, { kind: string; baseUrl?: string | undefined }>>;
}

/** The id by which shipped tables know a model: that of the vendor, when a provider of another name leads there. */
export function vendorId(model: string, { providers }: Providers): string {
  const name = model.slice(0, model.indexOf("/"));
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  return provider === undefined || provider.baseUrl !== undefined
    ? model
    : `${provider.kind}${model.slice(name.length)}`;
}
