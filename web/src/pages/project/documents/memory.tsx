import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { MemoryText } from "../../../../../src/contract/routes/memory-routes.ts";
import { under } from "../../../api/parting.ts";
import { queries } from "../../../api/queries.ts";
import { useRemoval } from "../../../api/use-removal.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { AddDocument } from "./add-document.tsx";
import { DocumentEntry } from "./document-entry.tsx";
import { DocumentShelf } from "./document-shelf.tsx";
import { factPath } from "./fact-path.ts";

/** What the project's agents remember, for a person to read and set right. */
export default function MemoryTab() {
  const memory = useQuery(queries.memory(useProjectId()));
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button size="small" onClick={() => setAdding(true)}>
      <Plus size={14} aria-hidden />
      Add a fact
    </Button>
  );
  return (
    <>
      <Loaded query={memory}>
        {({ files }) => {
          if (files.length === 0) return <NoMemory add={add} />;
          const of = (wanted: string) => files.filter(({ kind }) => kind === wanted);
          return (
            <DocumentShelf
              groups={[
                ["Facts", of("fact")],
                ["Episodes by month", of("episodes")],
              ]}
              below={<div>{add}</div>}
            >
              {(path) => <MemoryEntry key={path} path={path} />}
            </DocumentShelf>
          );
        }}
      </Loaded>
      {isAdding && <AddFact files={memory.data?.files ?? []} onClose={() => setAdding(false)} />}
    </>
  );
}

function AddFact({ files, onClose }: { files: readonly { path: string }[]; onClose: () => void }) {
  return (
    <AddDocument
      title="Add a fact"
      write="writeMemory"
      name={{
        hint: (path) => (path === "" ? "A short title. It becomes the file name." : `Saved as memory/${path}.`),
        placeholder: "How the checkout works",
      }}
      text={{ placeholder: "Orders go through three steps…" }}
      pathOf={factPath}
      problemOf={(path) => {
        if (path === "") return "Use at least one letter (a–z) or digit.";
        return files.some((file) => file.path === path) ? "A fact with this name exists. Edit it instead." : undefined;
      }}
      onClose={onClose}
    />
  );
}

function NoMemory({ add }: { add: ReactNode }) {
  const settings = useQuery(queries.settings()).data?.settings;
  const looksBack = settings?.find(({ key }) => key === "memory.reflection")?.value === true;
  return (
    <Empty title="No memory yet." action={add}>
      <p>Agents save useful facts about the project and summaries of their work here. You can add facts too.</p>
      {settings !== undefined && (
        <p className="mt-2">
          {looksBack ? (
            "Reflection is on: after each completed run, the model saves what's worth remembering."
          ) : (
            <>
              Reflection is off. Set <code>memory.reflection</code> to true in Settings to save what each completed run
              learned. It costs some tokens per run.
            </>
          )}
        </p>
      )}
    </Empty>
  );
}

function MemoryEntry({ path }: { path: string }) {
  const query = useQuery(queries.memoryFile(useProjectId(), path));
  return (
    <DocumentEntry
      query={query}
      editing={{ write: "writeMemory", word: "Edit" }}
      actions={(file) => <RemoveFile file={file} />}
    />
  );
}

function RemoveFile({ file }: { file: MemoryText }) {
  const id = useProjectId();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoval("removeMemory", {
    done: ({ trash }) => `Moved to ${trash}.`,
    concerns: under("memory", id, file.path),
    leave: () => {
      setAsking(false);
      void navigate({ to: ".", search: {} });
    },
  });
  return (
    <>
      <Button size="small" kind="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking && (
        <Confirm
          title={`Remove ${file.path}?`}
          action="Remove"
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ params: { id }, query: { path: file.path }, ifMatch: file.etag })}
          onClose={() => setAsking(false)}
        >
          <p>Agents will no longer remember it. You can restore the file from the workspace trash.</p>
        </Confirm>
      )}
    </>
  );
}
