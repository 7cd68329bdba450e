import { TriangleAlert } from "lucide-react";
import type { Problem } from "../../../../src/contract/problem.ts";
import { plural } from "../../ui/figures.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";

/** Files of tasks that cannot be read: they stand nowhere on the board until a person mends them. */
export function InvalidFiles({ invalid }: { invalid: readonly Problem[] }) {
  if (invalid.length === 0) return null;
  return (
    <details className="rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <summary className="font-medium text-warn">
        <TriangleAlert size={14} aria-hidden className="mr-1.5 inline" />
        {plural(invalid.length, "task file")} cannot be read
      </summary>
      <ScrollBox label="Files that cannot be read" className="mt-2 max-h-48">
        <ProblemList problems={invalid} />
      </ScrollBox>
    </details>
  );
}
