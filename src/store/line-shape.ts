export type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

export const isText = (value: unknown): boolean => typeof value === "string";
export const isNumber = (value: unknown): boolean => typeof value === "number";
export const isThing = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Whether a value has what whoever reads it relies on. */
export function fits(value: unknown, shape: Shape): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(shape).every(([name, isRight]) => isRight(fields[name]));
}

/** The same for a line of one of several types; false for a line that somebody damaged, or that a newer version wrote. */
export function fitsItsType(value: unknown, shapes: Readonly<Record<string, Shape>>): boolean {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  return shape !== undefined && fits(value, shape);
}
