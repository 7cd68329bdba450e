import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { MemoryText } from "../../../../src/contract/memory-routes.ts";
import { under } from "../../api/parting.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { useRemoval } from "../../api/use-removal.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { DocumentEditor } from "./document-editor.tsx";
import { DocumentText } from "./document-text.tsx";
import { useProjectId, useShownEntry } from "./project-id.ts";
import { Opened, Shelf, ShelfGroup } from "./shelf.tsx";

/** What the project's agents remember, for a person to read and set right. */
export default function MemoryTab() {
  const id = useProjectId();
  const memory = useQuery(queries.memory(id));
  const path = useShownEntry(memory.data?.files[0]?.path);
  return (
    <Loaded query={memory}>
      {({ files }) => {
        if (files.length === 0) return <NoMemory />;
        const facts = files.filter(({ kind }) => kind === "fact");
        const episodes = files.filter(({ kind }) => kind === "episodes");
        return (
          <Shelf
            list={
              <>
                {facts.length > 0 && <ShelfGroup title="Facts" files={facts} shown={path} />}
                {episodes.length > 0 && <ShelfGroup title="Episodes by month" files={episodes} shown={path} />}
              </>
            }
          >
            {path !== undefined && <OpenFile key={path} id={id} path={path} />}
          </Shelf>
        );
      }}
    </Loaded>
  );
}

function NoMemory() {
  const settings = useQuery(queries.settings()).data?.settings;
  const looksBack = settings?.find(({ key }) => key === "memory.reflection")?.value === true;
  return (
    <Empty title="Nothing is remembered yet.">
      <p>
        Agents whose role may remember write down here what will be of use: facts about the project, and what was done.
      </p>
      {settings !== undefined && (
        <p className="mt-2">
          {looksBack ? (
            "Looking back is on: when a run has completed its task, the hall asks its model what is worth keeping."
          ) : (
            <>
              Looking back is off. To have the hall look back on every run that completed a task, which costs some
              tokens each, set <code>memory.reflection: true</code> in <code>config.yml</code> and restart the daemon.
            </>
          )}
        </p>
      )}
    </Empty>
  );
}

function OpenFile({ id, path }: { id: string; path: string }) {
  const file = useQuery(queries.memoryFile(id, path));
  return (
    <Loaded query={file}>
      {(read) => <MemoryEntry id={id} file={read.file} refresh={() => void file.refetch()} />}
    </Loaded>
  );
}

function MemoryEntry({ id, file, refresh }: { id: string; file: MemoryText; refresh: () => void }) {
  const navigate = useNavigate();
  const [doing, setDoing] = useState<"edit" | "remove">();
  const remove = useRemoval("removeMemory", {
    done: ({ trash }) => `Moved to ${trash}.`,
    concerns: under("memory", id, file.path),
    leave: () => {
      setDoing(undefined);
      void navigate({ to: ".", search: {} });
    },
  });
  const write = useAct("writeMemory", { done: "Saved.", onDone: () => setDoing(undefined), onFailure: shownInline });
  return (
    <Opened
      title={file.path}
      actions={
        doing !== "edit" && (
          <>
            <Button size="small" onClick={() => setDoing("edit")}>
              Correct
            </Button>
            <Button size="small" kind="danger" onClick={() => setDoing("remove")}>
              Remove
            </Button>
          </>
        )
      }
    >
      {doing === "edit" ? (
        <DocumentEditor
          label={`Text of ${file.path}`}
          current={file}
          busy={write.isPending}
          failure={write.error}
          onSave={(content, etag) => {
            write.mutate({ params: { id }, body: { path: file.path, content }, ifMatch: etag }, { onError: refresh });
          }}
          onClose={() => setDoing(undefined)}
        />
      ) : (
        <DocumentText path={file.path} content={file.content} />
      )}
      {doing === "remove" && (
        <Confirm
          title={`Remove ${file.path}?`}
          action="Remove"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id }, query: { path: file.path }, ifMatch: file.etag })}
          onClose={() => setDoing(undefined)}
        >
          <p>
            Agents will not remember it any more. The file goes to the trash of the workspace, where you can find it
            again.
          </p>
        </Confirm>
      )}
    </Opened>
  );
}
