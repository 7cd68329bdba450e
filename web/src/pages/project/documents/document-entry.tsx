import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { DocumentText } from "./document-text.tsx";
import { Opened } from "./shelf.tsx";

interface DocumentFile {
  path: string;
  content: string;
  etag: string;
}

interface EntryProps<File extends DocumentFile> {
  query: UseQueryResult<{ file: File }>;
  /** How it is written, and what the button for that says. */
  editing?: { write: "writeContext" | "writeMemory"; word: string };
  actions: (file: File) => ReactNode;
}

/** One document of a project, to be read, and written where that is allowed. */
export function DocumentEntry<File extends DocumentFile>({ query, editing, actions }: EntryProps<File>) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Loaded query={query}>
      {({ file }) => (
        <Opened
          title={file.path}
          actions={
            !isEditing && (
              <>
                {editing !== undefined && (
                  <Button size="small" onClick={() => setEditing(true)}>
                    {editing.word}
                  </Button>
                )}
                {actions(file)}
              </>
            )
          }
        >
          {isEditing && editing !== undefined ? (
            <Editing
              file={file}
              write={editing.write}
              refresh={() => void query.refetch()}
              onClose={() => setEditing(false)}
            />
          ) : (
            <DocumentText path={file.path} content={file.content} />
          )}
        </Opened>
      )}
    </Loaded>
  );
}

interface EditingProps {
  file: DocumentFile;
  write: "writeContext" | "writeMemory";
  refresh: () => void;
  onClose: () => void;
}

function Editing({ file, write, refresh, onClose }: EditingProps) {
  const id = useProjectId();
  const act = useAct(write, { done: "Saved.", onDone: onClose, onFailure: shownInline });
  return (
    <DocumentEditor
      label={`Text of ${file.path}`}
      current={file}
      busy={act.isPending}
      failure={act.error}
      onSave={(content, etag) => {
        act.mutate({ params: { id }, body: { path: file.path, content }, ifMatch: etag }, { onError: refresh });
      }}
      onClose={onClose}
    />
  );
}
