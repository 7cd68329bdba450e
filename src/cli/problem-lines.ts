import type { Problem } from "../contract/problem.ts";
import type { Paint } from "./paint.ts";
import { oneLine } from "./plain-text.ts";

const MOST_BESIDE_A_LIST = 20;

/** Files that could not be read, each with its place and reason. */
export function problemLines(problems: readonly Problem[], paint: Paint): string[] {
  return problems.map(({ severity, file, line, reason }) => {
    const place = line === undefined ? file : `${file}:${line}`;
    return `${paint(severity === "invalid" ? "red" : "yellow", `${severity}:`)} ${oneLine(place)}  ${oneLine(reason)}`;
  });
}

/** The same beside a list, which must not drown in them. */
export function someProblems(problems: readonly Problem[], paint: Paint): string[] {
  const rest = problems.length - MOST_BESIDE_A_LIST;
  const lines = problemLines(problems.slice(0, MOST_BESIDE_A_LIST), paint);
  return rest > 0 ? [...lines, `and ${rest} more: 'guildhall doctor' names them all.`] : lines;
}
