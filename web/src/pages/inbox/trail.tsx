import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import type { Asker, Escalation } from "../../../../src/contract/documents/escalation.ts";
import { Ago } from "../../ui/figures.tsx";
import { visibleText } from "../../ui/text/visible-text.ts";
import { STEP_WORDS } from "./inbox-words.ts";
import { Party, TaskLink } from "./party.tsx";

/** Who asked, who had it so far, and what happened to it. */
export function Trail({ escalation }: { escalation: Escalation }) {
  const { askers, escalationPath, history, path } = escalation;
  if (askers.length + history.length === 0 && path === undefined) return null;
  return (
    <details className="group border-t border-line pt-3 text-sm">
      <summary className="flex cursor-pointer list-none items-center gap-1 text-xs text-faint hover:text-ink">
        <ChevronRight size={14} aria-hidden className="group-open:rotate-90" />
        {askers.length === 0 ? "History" : "Askers and history"}
      </summary>
      <div className="mt-2 flex flex-col gap-3">
        {askers.length > 0 && (
          <Part title={askers.length === 1 ? "Asked by" : `Asked by ${askers.length} agents`}>
            <ul className="flex flex-col gap-0.5">
              {askers.map((asker) => (
                <li key={`${asker.kind} ${asker.id} ${asker.callId} ${asker.askedAt}`}>
                  <AskerLine asker={asker} />
                </li>
              ))}
            </ul>
          </Part>
        )}
        {escalationPath.length > 0 && (
          <Part title="Path">
            <p>
              {escalationPath.map((by, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: it may have come to the same one twice
                <Fragment key={at}>
                  {at > 0 && " → "}
                  <Party by={by} />
                </Fragment>
              ))}
            </p>
          </Part>
        )}
        {history.length > 0 && (
          <Part title="History">
            <ol className="flex flex-col gap-0.5">
              {history.map(({ at, by, action, reason }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name, and none goes
                <li key={index} className="wrap-anywhere">
                  <Party by={by} /> {STEP_WORDS[action]}
                  {reason !== undefined && <bdi>: {visibleText(reason)}</bdi>}{" "}
                  <Ago at={at} className="text-xs text-faint" />
                </li>
              ))}
            </ol>
          </Part>
        )}
        {path !== undefined && (
          <p className="text-xs text-faint">
            File: <code className="wrap-anywhere">{path}</code>
          </p>
        )}
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="text-xs font-semibold text-faint">{title}</h3>
      {children}
    </section>
  );
}

function AskerLine({
  asker: { kind, id, projectId, taskId, waits, askedAt, deliveredAt, followUpRunId },
}: {
  asker: Asker;
}) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <Party by={id === undefined ? kind : `${kind}:${id}`} />
      {projectId !== undefined && taskId !== undefined && <TaskLink projectId={projectId} taskId={taskId} />}
      <Ago at={askedAt} className="text-xs text-faint" />
      <span className="text-xs text-faint">
        {deliveredAt !== undefined ? "Answer delivered" : waits ? "Waits for the answer" : "Continues meanwhile"}
      </span>
      {followUpRunId !== undefined && (
        <Link to="/runs/$runId" params={{ runId: followUpRunId }} className="text-xs text-accent underline">
          Follow-up run
        </Link>
      )}
    </span>
  );
}
