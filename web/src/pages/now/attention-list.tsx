import { Link, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Attention } from "../../../../src/contract/now.ts";
import { hintWords } from "../../../../src/contract/words/hint.ts";
import { PERMISSION_WORD } from "../../../../src/contract/words/queue-words.ts";
import { useAct } from "../../api/use-act.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Hint } from "../../ui/hint.tsx";
import { HintButton } from "../../ui/hint-button.tsx";
import { ProjectName } from "../../ui/project-name.tsx";

const words: Record<Attention["kind"], { word: string; tone: Tone }> = {
  failed: { word: "Failed", tone: "bad" },
  waiting: { word: "Waiting", tone: "warn" },
  suspended: { word: "Suspended", tone: "warn" },
  problem: { word: "Unreadable", tone: "bad" },
  skill: { word: "New skill", tone: "info" },
  instructions: { word: "New instructions", tone: "warn" },
  folder: { word: "Changed", tone: "warn" },
  damaged: { word: "Damaged repository", tone: "bad" },
  escalation: { word: "Question", tone: "info" },
};

const PERMISSION = { word: PERMISSION_WORD, tone: "warn" } as const;

function KindBadge({ item: { kind, origin } }: { item: Attention }) {
  const { word, tone } = origin === "permission" ? PERMISSION : words[kind];
  return <Badge tone={tone}>{word}</Badge>;
}

export function AttentionList({ items }: { items: readonly Attention[] }) {
  return (
    <ul aria-label="Needs you" className="overflow-hidden rounded-lg border border-line bg-card">
      {items.map((item) => (
        <li
          key={`${item.kind} ${item.id}`}
          className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line px-3 py-2.5 last:border-b-0"
        >
          <div className="min-w-0 flex-1 basis-64">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <AttentionLink item={item} />
              <KindBadge item={item} />
            </div>
            <p className="line-clamp-2 text-sm text-faint">{item.detail}</p>
            {item.hintAction !== undefined && hintWords(item.hintAction).page === undefined && (
              <p className="text-sm text-faint">
                <Hint of={item.hintAction} />
              </p>
            )}
            <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-faint">
              {item.projectId !== undefined && <ProjectName id={item.projectId} />}
              {item.at !== undefined && <Ago at={item.at} />}
            </p>
          </div>
          <div className="flex shrink-0 gap-2">
            <Answers item={item} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function AttentionLink({ item }: { item: Attention }) {
  return (
    <Link {...placeOf(item)} data-row className="font-medium hover:underline">
      <bdi>{item.title}</bdi>
    </Link>
  );
}

/** Where the person sees what it is about, and can do something about it. */
function placeOf({ kind, id, projectId, title, run }: Attention) {
  if (kind === "escalation") return linkOptions({ to: "/inbox", search: { id } });
  if (run !== undefined) return linkOptions({ to: "/runs/$runId", params: { runId: run.id } });
  if (kind === "problem" || projectId === undefined) return linkOptions({ to: "/settings" });
  const params = { id: projectId };
  if (kind === "instructions") return linkOptions({ to: "/projects/$id/library/skills", params });
  return kind === "skill"
    ? linkOptions({ to: "/projects/$id/library/skills", params, search: { view: title } })
    : linkOptions({ to: "/projects/$id", params });
}

/** What can be done about it from here. */
function Answers({ item }: { item: Attention }): ReactNode {
  return (
    <>
      {item.hintAction !== undefined && <HintButton of={item.hintAction} size="small" kind="primary" />}
      {item.kind === "failed" && item.run !== undefined && <Retry runId={item.run.id} />}
      {item.kind === "suspended" && <Resume projectId={item.id} />}
    </>
  );
}

function Retry({ runId }: { runId: string }) {
  const retry = useAct("retryRun", { done: "Retry started." });
  return (
    <Button size="small" busy={retry.isPending} onClick={() => retry.mutate({ params: { runId } })}>
      Retry
    </Button>
  );
}

function Resume({ projectId }: { projectId: string }) {
  const resume = useAct("moveProject", { done: "Resumed." });
  return (
    <Button
      size="small"
      busy={resume.isPending}
      onClick={() => resume.mutate({ params: { id: projectId }, body: { status: "active" } })}
    >
      Resume
    </Button>
  );
}
