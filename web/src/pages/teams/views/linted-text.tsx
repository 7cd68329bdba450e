import type { RefObject } from "react";
import type { RoleSpecFault } from "../../../../../src/contract/documents/teams/role-spec.ts";
import { plural } from "../../../ui/figures.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

interface LintedTextProps {
  text: string;
  faults: readonly RoleSpecFault[];
  lines: RefObject<HTMLOListElement | null>;
}

/** A role-spec has about 80 lines, and is refused above 120. */
const MOST_LINES = 400;

/** The lines with their numbers; those with faults are marked. */
export function LintedText({ text, faults, lines }: LintedTextProps) {
  const worst = new Map<number, RoleSpecFault["severity"]>();
  for (const { line, severity } of faults) if (worst.get(line) !== "error") worst.set(line, severity);
  const all = text.replace(/\r?\n$/, "").split(/\r?\n/);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card">
      <ol ref={lines} aria-label="Text" className="py-2 font-mono text-xs leading-5">
        {all.slice(0, MOST_LINES).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <li key={at} className={`flex gap-3 px-3 ${lookOf(worst.get(at + 1))}`}>
            <span aria-hidden className="w-7 shrink-0 text-right text-faint tabular-nums select-none">
              {at + 1}
            </span>
            <span className="min-w-0 wrap-anywhere whitespace-pre-wrap">{visibleLine(line)}</span>
          </li>
        ))}
      </ol>
      {all.length > MOST_LINES && (
        <p className="border-t border-line px-3 py-2 text-xs text-faint">
          {plural(all.length - MOST_LINES, "more line")} in the file.
        </p>
      )}
    </div>
  );
}

function lookOf(severity: RoleSpecFault["severity"] | undefined): string {
  if (severity === undefined) return "";
  return severity === "error" ? "bg-bad-soft" : "bg-warn-soft";
}
