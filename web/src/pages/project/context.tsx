import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { RouteResponse } from "../../../../src/contract/routes.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Empty, Loaded, Trouble } from "../../ui/states.tsx";
import { DocumentEditor } from "./document-editor.tsx";
import { DocumentText } from "./document-text.tsx";
import { download } from "./download.ts";
import { useProjectId, useShownEntry } from "./project-id.ts";
import { Opened, Shelf, ShelfGroup } from "./shelf.tsx";

type ReadFile = RouteResponse<"readFile">["file"];

/** What a person gives the agents of a project to read. */
export default function ContextTab() {
  const id = useProjectId();
  const [isAdding, setAdding] = useState(false);
  const context = useQuery(queries.context(id));
  const path = useShownEntry(context.data?.files[0]?.path);
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
            <Shelf
              list={
                <>
                  <ShelfGroup title="Context files" files={files} shown={path} />
                  <div>{add}</div>
                </>
              }
            >
              {path !== undefined && <OpenFile key={path} id={id} path={path} />}
            </Shelf>
          )
        }
      </Loaded>
      {isAdding && <AddFile id={id} onClose={() => setAdding(false)} />}
    </>
  );
}

function OpenFile({ id, path }: { id: string; path: string }) {
  const file = useQuery(queries.document(id, path));
  return (
    <Loaded query={file}>
      {(read) => <ContextEntry id={id} file={read.file} refresh={() => void file.refetch()} />}
    </Loaded>
  );
}

function ContextEntry({ id, file, refresh }: { id: string; file: ReadFile; refresh: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const write = useAct("writeContext", { done: "Saved.", onDone: () => setEditing(false), onFailure: shownInline });
  return (
    <Opened
      title={file.path}
      actions={
        !isEditing && (
          <>
            <Button size="small" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button size="small" onClick={() => download(file.path, file.content)}>
              Download
            </Button>
          </>
        )
      }
    >
      {isEditing ? (
        <DocumentEditor
          label={`Text of ${file.path}`}
          current={file}
          busy={write.isPending}
          failure={write.error}
          onSave={(content, etag) => {
            write.mutate({ params: { id }, body: { path: file.path, content }, ifMatch: etag }, { onError: refresh });
          }}
          onClose={() => setEditing(false)}
        />
      ) : (
        <DocumentText path={file.path} content={file.content} />
      )}
    </Opened>
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
