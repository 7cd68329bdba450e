import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { useProjectId } from "../project-id.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { documentKind, MOST_SHOWN, shownJson } from "./document-kind.ts";
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

/** The text of a document of anybody: Markdown without HTML, JSON in lines, all else as it is. */
function DocumentText({ path, content }: { path: string; content: string }) {
  const [isSource, setSource] = useState(false);
  const kind = documentKind(path);
  const text = content.slice(0, MOST_SHOWN);
  if (content.trim() === "") return <p className="text-sm text-faint">The file is empty.</p>;
  return (
    <div className="relative flex min-w-0 flex-col gap-3">
      {kind === "markdown" && (
        <Button
          size="small"
          kind="ghost"
          aria-pressed={isSource}
          onClick={() => setSource(!isSource)}
          className="absolute -top-2 -right-2 bg-card"
        >
          {isSource ? "Show rendered" : "Show source"}
        </Button>
      )}
      {kind === "markdown" && !isSource ? (
        <div className="min-w-0 max-w-prose">
          <Markdown text={text} />
        </div>
      ) : (
        <ScrollBox label={`Text of ${path}`} look="text" className="max-h-[70vh]">
          {kind === "json" ? shownJson(text) : text}
        </ScrollBox>
      )}
      {content.length > MOST_SHOWN && (
        <p className="text-xs text-faint">Only the beginning is shown. Download the file to read the rest.</p>
      )}
    </div>
  );
}
