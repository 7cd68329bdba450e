import { type Provider, wellKnown } from "../providers.ts";
import type { ListedModel } from "./provider-models.ts";

/** The family that is usually meant when only a provider is named: capable, and not the most expensive one. */
const FAMILIES: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-sonnet-/,
  openai: /^gpt-\d+(?:\.\d+)?$/,
  google: /^gemini-\d+(?:\.\d+)?-pro$/,
  openrouter: /^anthropic\/claude-sonnet-/,
  moonshot: /^kimi-k\d/,
};

/** The model to begin with: the newest of the usual family, the usual one, or the first that the provider lists. */
export function chooseModel(
  { name, kind }: Pick<Provider, "name" | "kind">,
  listed: readonly ListedModel[],
): string | undefined {
  const family = FAMILIES[name] ?? FAMILIES[kind];
  const ofFamily = family === undefined ? [] : listed.filter(({ id }) => family.test(id));
  const usual = (wellKnown(name) ?? wellKnown(kind))?.model;
  const isListed = listed.some(({ id }) => id === usual);
  return newest(ofFamily)?.id ?? (isListed || listed.length === 0 ? usual : undefined) ?? newest(listed)?.id;
}

/** By the date that the provider gives; else by the numbers in its name. */
function newest(models: readonly ListedModel[]): ListedModel | undefined {
  if (models.every(({ created }) => created === 0) && models.length > 0 && !models.some(({ id }) => /\d/.test(id)))
    return models[0];
  return [...models].sort((left, right) => right.created - left.created || byVersion(right.id, left.id))[0];
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}
