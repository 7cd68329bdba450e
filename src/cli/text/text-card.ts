import type { Paint } from "./paint.ts";
import { manyLines, oneLine } from "./plain-text.ts";
import type { TableSpace } from "./text-table.ts";
import { padText } from "./text-width.ts";
import { wrapProse } from "./text-wrap.ts";

export type Field = readonly [label: string, value: string | number | undefined];

/** Labels and values under each other; a field without a value is left out. */
export function fieldLines(fields: readonly Field[], paint: Paint): string[] {
  const given = fields.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [[label, String(value)] as const],
  );
  const widest = given.reduce((most, [label]) => Math.max(most, label.length), 0);
  return given.map(([label, value]) => `${paint("dim", padText(label, widest))}  ${oneLine(value)}`);
}

/** A titled piece of prose with an empty line before it, or nothing when there is no prose. */
export function proseLines(title: string, text: string | undefined, { paint, width }: TableSpace): string[] {
  if (text === undefined || text.trim() === "") return [];
  return ["", paint("bold", title), wrapProse(manyLines(text), width)];
}

/** A point in time as the person's own clock shows it. */
export function localTime(iso: string | undefined, precision: "minutes" | "seconds" = "minutes"): string {
  const date = new Date(iso ?? "");
  if (Number.isNaN(date.getTime())) return iso ?? "";
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return precision === "minutes" ? `${day} ${time}` : `${day} ${time}:${two(date.getSeconds())}`;
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
