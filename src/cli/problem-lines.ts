import type { Problem } from "../contract/routes.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./plain-text.ts";

/** Files that could not be read, each with its place and reason. */
export function problemLines(problems: readonly Problem[], paint: Paint): string[] {
  return problems.map(({ severity, file, line, reason }) => {
    const place = line === undefined ? file : `${file}:${line}`;
    return `${paint(severity === "invalid" ? "red" : "yellow", `${severity}:`)} ${oneLine(place)}  ${oneLine(reason)}`;
  });
}
