import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded, Loading, Trouble } from "../../ui/states.tsx";
import { linesOf } from "./settings/settings-draft.ts";

/** The undertakings of a project and how far they are. */
export function Initiatives({ id }: { id: string }) {
  const [isStarting, setStarting] = useState(false);
  const found = useQuery(queries.initiatives(id));
  return (
    <Section
      title="Initiatives"
      actions={
        <Button size="small" onClick={() => setStarting(true)}>
          New initiative
        </Button>
      }
    >
      <Loaded query={found} loading={<Loading lines={1} />}>
        {({ initiatives }) =>
          initiatives.length === 0 ? (
            <p className="text-sm text-faint">None yet. An initiative is a plan and its tasks.</p>
          ) : (
            <Card>
              <ul aria-label="Initiatives">
                {initiatives.map(({ slug, title, status, tasks }) => (
                  <li key={slug} className="border-b border-line px-4 py-2.5 last:border-b-0">
                    <p className="text-sm font-medium">
                      <Link to="/projects/$id/initiatives/$slug" params={{ id, slug }} className="hover:underline">
                        <bdi>{title}</bdi>
                      </Link>
                      {status !== "active" && <span className="ml-2 text-xs text-faint">{status}</span>}
                    </p>
                    <Progress {...tasks} name={title} />
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Loaded>
      {isStarting && <StartInitiative id={id} onClose={() => setStarting(false)} />}
    </Section>
  );
}

function Progress({ done, total, name }: { done: number; total: number; name: string }) {
  if (total === 0) return <p className="text-xs text-faint">No tasks yet</p>;
  return (
    <div className="mt-1 flex items-center gap-2 text-xs text-faint tabular-nums">
      <span
        role="progressbar"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="h-1.5 flex-1 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full bg-good" style={{ width: `${(done / total) * 100}%` }} />
      </span>
      {done} of {total} done
    </div>
  );
}

function StartInitiative({ id, onClose }: { id: string; onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [goals, setGoals] = useState("");
  const start = useAct("createInitiative", { done: "Initiative created.", onDone: onClose, onFailure: shownInline });
  return (
    <Dialog title="New initiative" onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate({ params: { id }, body: { title, goals: linesOf(goals) } });
        }}
      >
        <TextField label="Title" required value={title} onChange={({ target }) => setTitle(target.value)} />
        <TextArea label="Goals, one per line" value={goals} onChange={({ target }) => setGoals(target.value)} />
        {start.error !== null && <Trouble error={start.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={start.isPending} disabled={title.trim() === ""}>
            Create initiative
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
