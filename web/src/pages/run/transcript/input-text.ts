/** The input for reading; as it was written when it is no JSON. */
export function inputText(input: string): string {
  const given = fieldsOf(input);
  if (given === undefined) return input;
  const [only] = Object.values(given);
  if (Object.keys(given).length === 1 && typeof only === "string") return only;
  return Object.entries(given)
    .map(([key, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return text.includes("\n") ? `${key}:\n${text}` : `${key}: ${text}`;
    })
    .join("\n");
}

/** Undefined when it is no JSON object, as an input that was cut. */
export function fieldsOf(input: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
