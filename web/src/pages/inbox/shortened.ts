import { visibleLine } from "../../ui/text/visible-text.ts";

/** The beginning of a text on one line, with nothing in it that hides or turns around something else. */
export function shortened(text: string, most: number): string {
  const line = visibleLine(text.replace(/\s+/g, " ").trim());
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}
