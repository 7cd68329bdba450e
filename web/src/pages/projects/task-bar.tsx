import type { TaskCount } from "../../../../src/contract/documents/project.ts";
import { countText } from "../../ui/figures.tsx";

type Kind = keyof TaskCount;

const KINDS: readonly { kind: Kind; word: string; bar: string; ink: string }[] = [
  { kind: "done", word: "done", bar: "bg-good", ink: "text-good" },
  { kind: "review", word: "in review", bar: "bg-accent", ink: "text-accent" },
  { kind: "inProgress", word: "in progress", bar: "bg-info", ink: "text-info" },
  { kind: "failed", word: "failed", bar: "bg-bad", ink: "text-bad" },
  { kind: "todo", word: "to do", bar: "bg-edge", ink: "text-faint" },
];

/** Cancelled ones are left out: they say nothing of how far a project is. */
export function taskTotal({ cancelled: _, ...counts }: TaskCount): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** How far a project's tasks are, as a bar with its numbers in words. */
export function TaskBar({ counts, roomy = false }: { counts: TaskCount; roomy?: boolean }) {
  const total = taskTotal(counts);
  if (total === 0) return <span className="text-xs text-faint">No tasks yet</span>;
  const shown = KINDS.filter(({ kind }) => counts[kind] > 0);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div aria-hidden className={`flex gap-px overflow-hidden rounded-full bg-line ${roomy ? "h-2" : "h-1.5"}`}>
        {shown.map(({ kind, bar }) => (
          <span
            key={kind}
            className={`h-full min-w-0.5 ${bar}`}
            style={{ width: `${(counts[kind] / total) * 100}%` }}
          />
        ))}
      </div>
      <p className={`flex flex-wrap gap-y-0.5 text-xs text-faint tabular-nums ${roomy ? "gap-x-4" : "gap-x-2"}`}>
        {shown.map(({ kind, word, ink }) => (
          <span key={kind} className="whitespace-nowrap">
            <span className={`font-medium ${ink}`}>{countText(counts[kind])}</span> {word}
          </span>
        ))}
      </p>
    </div>
  );
}
