/**
 * Tokens are counted by the provider; before it has answered, and for budgets of prompts, this is the estimate. It is near for
 * English, code and JSON.
 */
const CHARACTERS_PER_TOKEN = 4;
/** Fewer than any language takes on the average. */
const FEWEST_BYTES_PER_TOKEN = 3;

export function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function charactersIn(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** Rather too many, for money that is reserved. */
export function mostTokensIn(bytes: number): number {
  return Math.ceil(bytes / FEWEST_BYTES_PER_TOKEN);
}
