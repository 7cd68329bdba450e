import type { Problem } from "../../contract/problem.ts";
import { heardHint, hintText } from "../../contract/words/hint.ts";
import type { Output } from "../output.ts";
import { oneLine } from "./plain-text.ts";

const MOST_BESIDE_A_LIST = 20;

type Shown = Pick<Output, "paint" | "calledAs">;

/** Files that could not be read, each with its place and reason. */
export function problemLines(problems: readonly Problem[], { paint, calledAs }: Shown): string[] {
  return problems.map(({ severity, file, line, reason, ...told }) => {
    const place = line === undefined ? file : `${file}:${line}`;
    const known = heardHint(told);
    const help = known === undefined ? "" : ` ${hintText(known, calledAs)}`;
    const kind = paint(severity === "invalid" ? "red" : "yellow", `${severity}:`);
    return `${kind} ${oneLine(place)}  ${oneLine(reason + help)}`;
  });
}

/** The same beside a list, which must not drown in them. */
export function someProblems(problems: readonly Problem[], shown: Shown): string[] {
  const rest = problems.length - MOST_BESIDE_A_LIST;
  const lines = problemLines(problems.slice(0, MOST_BESIDE_A_LIST), shown);
  return rest > 0 ? [...lines, `and ${rest} more: '${shown.calledAs} doctor' lists them all.`] : lines;
}
