/** What a caught value says for itself. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
