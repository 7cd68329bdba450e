import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Empty, Loaded, Trouble } from "../../ui/states.tsx";
import { DocumentEntry } from "./document-entry.tsx";
import { DocumentShelf } from "./document-shelf.tsx";
import { DownloadButton } from "./download-button.tsx";
import { useProjectId } from "./project-id.ts";

/** What a person gives the agents of a project to read. */
export default function ContextTab() {
  const id = useProjectId();
  const [isAdding, setAdding] = useState(false);
  const context = useQuery(queries.context(id));
  const add = (
    <Button size="small" onClick={() => setAdding(true)}>
      <Plus size={14} aria-hidden />
      Add a file
    </Button>
  );
  return (
    <>
      <Loaded query={context}>
        {({ files }) =>
          files.length === 0 ? (
            <Empty title="There are no context files yet." action={add}>
              Put here what agents should know before they begin: how the code is built, rules of the house, drafts. It
              is theirs to read in every run of this project.
            </Empty>
          ) : (
            <DocumentShelf groups={[["Context files", files]]} below={<div>{add}</div>}>
              {(path) => <ContextEntry key={path} path={path} />}
            </DocumentShelf>
          )
        }
      </Loaded>
      {isAdding && <AddFile id={id} onClose={() => setAdding(false)} />}
    </>
  );
}

function ContextEntry({ path }: { path: string }) {
  const query = useQuery(queries.document(useProjectId(), path));
  return (
    <DocumentEntry
      query={query}
      editing={{ write: "writeContext", word: "Edit" }}
      actions={(file) => <DownloadButton file={file} />}
    />
  );
}

function AddFile({ id, onClose }: { id: string; onClose: () => void }) {
  const navigate = useNavigate();
  const [path, setPath] = useState("");
  const [content, setContent] = useState("");
  const write = useAct("writeContext", {
    done: "Added.",
    onDone: ({ file }) => {
      onClose();
      void navigate({ to: ".", search: { view: file.path } });
    },
    onFailure: shownInline,
  });
  return (
    <Dialog title="Add a context file" onClose={onClose} look="wide">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate({ params: { id }, body: { path: path.trim(), content } });
        }}
      >
        <TextField
          label="Name"
          hint="Under CONTEXT/; folders are made as needed. A file that is there already is replaced."
          placeholder="architecture.md"
          required
          value={path}
          onChange={({ target }) => setPath(target.value)}
        />
        <TextArea
          label="Text"
          rows={12}
          value={content}
          onChange={({ target }) => setContent(target.value)}
          className="font-mono"
        />
        {write.error !== null && <Trouble error={write.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={write.isPending} disabled={path.trim() === ""}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
