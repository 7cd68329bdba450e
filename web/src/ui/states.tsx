import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { failureOf, isAway } from "../api/failure.ts";
import { Button } from "./button.tsx";
import { Hint } from "./hint.tsx";

/** Nothing is there, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-prose text-sm text-faint">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

export function Loading({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2 py-2">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={line} className="h-9 animate-pulse rounded-md bg-sunk" />
      ))}
    </div>
  );
}

export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const { message, hint, code, file, line } = failureOf(error);
  const again = code === "outdated" ? () => location.reload() : retry;
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      {/* One line for each fault. */}
      <p className="font-medium whitespace-pre-line wrap-anywhere text-bad">{message}</p>
      {file !== undefined && (
        <p className="mt-1 text-sm">
          <code>
            {file}
            {line !== undefined && `:${line}`}
          </code>
        </p>
      )}
      {hint !== undefined && (
        <p className="mt-1 text-sm text-ink">
          <Hint of={hint} />
        </p>
      )}
      {again !== undefined && (
        <Button size="small" className="mt-2" onClick={again}>
          {code === "outdated" ? "Reload page" : "Try again"}
        </Button>
      )}
    </div>
  );
}

/** It comes by itself when the daemon is back. */
export function Away() {
  return (
    <p role="status" className="rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm">
      Not loaded yet. This loads automatically once the daemon is back.
    </p>
  );
}

/** What was asked for, or that it is on its way, or why it is not there. What is known stays while the daemon is away. */
export function Loaded<Data>({
  query,
  children,
  loading,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
  loading?: ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (isAway(query.error ?? query.failureReason)) return <Away />;
  if (query.isPending) return loading ?? <Loading />;
  return <Trouble error={query.error} retry={() => void query.refetch()} />;
}
