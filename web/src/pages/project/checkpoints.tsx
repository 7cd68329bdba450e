import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Checkpoint, Rollback } from "../../../../src/contract/runs/checkpoint.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Ago, plural } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Loaded, Loading } from "../../ui/states.tsx";

const SHOWN = 5;

const REASONS: Record<Checkpoint["reason"], string> = {
  "run-start": "Before a run",
  "run-end": "After a run",
  merge: "Before a merge",
  merged: "After a merge",
  revert: "Before a revert",
  reverted: "After a revert",
  rollback: "Before a rollback",
  "pre-work": "Before the work on a branch",
  "pre-review": "Before a quality gate",
};

/** What the working folder held at one moment, to take back what agents changed since. */
export function Checkpoints({ id }: { id: string }) {
  const found = useQuery(queries.checkpoints(id));
  const [isLong, setLong] = useState(false);
  return (
    <Section title="Checkpoints" count={found.data?.checkpoints.length}>
      <Loaded query={found} loading={<Loading lines={2} />}>
        {({ checkpoints }) => {
          if (checkpoints.length === 0)
            return (
              <p className="text-sm text-faint">None yet. Guildhall saves one before an agent changes the folder.</p>
            );
          return (
            <>
              <Card>
                <ul aria-label="Checkpoints">
                  {(isLong ? checkpoints : checkpoints.slice(0, SHOWN)).map((checkpoint) => (
                    <CheckpointRow key={checkpoint.id} id={id} checkpoint={checkpoint} />
                  ))}
                </ul>
              </Card>
              {checkpoints.length > SHOWN && (
                <Button size="small" kind="ghost" className="self-start" onClick={() => setLong(!isLong)}>
                  {isLong ? "Show fewer" : `Show all ${checkpoints.length}`}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function CheckpointRow({ id, checkpoint }: { id: string; checkpoint: Checkpoint }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <li className="flex items-center gap-3 border-b border-line px-4 py-2 text-sm last:border-b-0">
      <div className="min-w-0 flex-1">
        <p>
          {REASONS[checkpoint.reason]}
          {checkpoint.task !== undefined && (
            <>
              {": "}
              <bdi className="font-medium">{checkpoint.task.title}</bdi>
            </>
          )}{" "}
          {checkpoint.damaged && <Badge tone="bad">Damaged</Badge>}
        </p>
        <p className="text-xs text-faint">
          {checkpoint.task !== undefined && `${checkpoint.task.id} · `}
          <Ago at={checkpoint.at} />
          {checkpoint.changedCount > 0 && ` · ${plural(checkpoint.changedCount, "file")} changed since`}
        </p>
      </div>
      <Button size="small" disabled={checkpoint.damaged === true} onClick={() => setAsked(true)}>
        Roll back
      </Button>
      {isAsked && <RollbackDialog id={id} checkpoint={checkpoint} onClose={() => setAsked(false)} />}
    </li>
  );
}

/** Shows what would be taken back before it is. */
function RollbackDialog({ id, checkpoint, onClose }: { id: string; checkpoint: Checkpoint; onClose: () => void }) {
  const preview = useAct("rollback", { onFailure: shownInline });
  const rollback = useAct("rollback", {
    done: ({ restored }) => `Rolled back: ${plural(restored.length, "file")}.`,
    onDone: onClose,
    onFailure: shownInline,
  });
  const params = { id, checkpointId: checkpoint.id };
  const look = useEffectEvent(() => preview.mutate({ params, body: { dryRun: true } }));
  useEffect(() => look(), []);
  return (
    <Confirm
      title="Roll back to this checkpoint?"
      action="Roll back"
      busy={rollback.isPending || preview.isPending}
      disabled={preview.data === undefined || preview.data.restored.length === 0}
      error={rollback.error ?? preview.error}
      onConfirm={() => rollback.mutate({ params, body: {} })}
      onClose={onClose}
    >
      <p>Undoes only what agents changed since then. A checkpoint is saved first, so you can undo this.</p>
      {preview.data === undefined ? preview.isPending && <Loading lines={2} /> : <WhatChanges plan={preview.data} />}
    </Confirm>
  );
}

function WhatChanges({ plan: { restored, left, conflicts, note } }: { plan: Rollback }) {
  const back = { created: "is recreated", changed: "is restored", removed: "is removed" } as const;
  return (
    <ScrollBox label="Affected files" className="flex max-h-64 flex-col gap-2 text-xs">
      {restored.length === 0 && <p>Nothing would change.</p>}
      <Paths lines={restored.map(({ path, how }) => `${path} ${back[how]}`)} />
      {left.length > 0 && <p className="font-semibold">Not changed</p>}
      <Paths lines={left.map(({ path, reason }) => `${path}: ${reason}`)} />
      {conflicts.length > 0 && <p className="font-semibold">Changed by several runs</p>}
      <Paths lines={conflicts.map(({ path }) => path)} />
      {note !== undefined && <p>{note}</p>}
    </ScrollBox>
  );
}

function Paths({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}
