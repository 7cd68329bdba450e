import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { queries } from "../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty, Loaded } from "../../../ui/states.tsx";
import { useProjectId } from "../project-id.ts";
import { AddDocument } from "./add-document.tsx";
import { DocumentEntry } from "./document-entry.tsx";
import { DocumentShelf } from "./document-shelf.tsx";
import { DownloadButton } from "./download-button.tsx";

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
            <Empty title="No context files yet." action={add}>
              Add what agents should know, such as build steps or coding rules. Every run in this project can read it.
            </Empty>
          ) : (
            <DocumentShelf groups={[["Context files", files]]} below={<div>{add}</div>}>
              {(path) => <ContextEntry key={path} path={path} />}
            </DocumentShelf>
          )
        }
      </Loaded>
      {isAdding && (
        <AddDocument
          title="Add a context file"
          write="writeContext"
          name={{
            hint: () => "Path under CONTEXT/. Creates missing folders and replaces an existing file.",
            placeholder: "architecture.md",
          }}
          text={{}}
          pathOf={(name) => name}
          onClose={() => setAdding(false)}
        />
      )}
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
