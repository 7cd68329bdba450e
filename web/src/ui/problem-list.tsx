import type { Problem } from "../../../src/contract/problem.ts";
import { Hint } from "./hint.tsx";

const MOST = 200;

/** Files that cannot be read as what they should be: which, where in them, and why. */
export function ProblemList({
  problems,
}: {
  problems: readonly Pick<Problem, "file" | "line" | "reason" | "hintAction">[];
}) {
  return (
    <>
      <ul className="overflow-hidden rounded-lg border border-line bg-card">
        {problems.slice(0, MOST).map(({ file, line, reason, hintAction }) => (
          <li key={`${file} ${line} ${reason}`} className="border-b border-line px-3 py-2 text-sm last:border-b-0">
            <code className="text-bad">
              {file}
              {line !== undefined && `:${line}`}
            </code>
            <p>
              <bdi>{reason}</bdi>
            </p>
            {hintAction !== undefined && (
              <p>
                <Hint of={hintAction} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="text-xs text-faint">
        {problems.length > MOST && `Showing the first ${MOST}. `}
        Fix the files; they reload on save.
      </p>
    </>
  );
}
