import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useSettled } from "../../ui/hooks/use-settled.ts";
import { FolderBrowser } from "./folder-browser.tsx";
import { type FolderVerdict, folderAround, folderVerdict } from "./folder-verdict.ts";

export interface FolderCheck extends FolderVerdict {
  /** Where to look around: the folder that was typed, or the one around it. */
  near: string;
}

/** Looks for the folder once the typing pauses. */
export function useFolderCheck(folder: string): FolderCheck {
  const typed = folder.trim();
  const asked = useSettled(typed);
  const { data, error } = useQuery({ ...queries.folders(asked), enabled: asked !== "", retry: false });
  const isMissing = error !== null && failureOf(error).code === "file_not_found";
  return {
    ...folderVerdict({ typed, asked, found: data, error }),
    near: isMissing ? folderAround(asked) : asked,
  };
}

const TONES = { good: "text-good", bad: "text-bad", faint: "text-faint" } as const;

interface FieldProps {
  folder: string;
  check: FolderCheck;
  onFolder: (folder: string) => void;
  /** Whether the folders of the machine are shown from the start. */
  startsOpen: boolean;
}

export function FolderField({ folder, check, onFolder, startsOpen }: FieldProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  /** Where the person went from what was typed; typing leads elsewhere again. */
  const [walk, setWalk] = useState<{ from: string; to: string }>();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Folder or repository address (optional)"
            placeholder="/home/you/code/shop or https://github.com/you/shop"
            spellCheck={false}
            autoComplete="off"
            value={folder}
            aria-invalid={check.tone === "bad" || undefined}
            onChange={({ target }) => onFolder(target.value)}
          />
        </div>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Browse
        </Button>
      </div>
      <p role="status" className={`text-xs ${TONES[check.tone]}`}>
        {check.text ?? "The code agents work on. If empty, they work in a folder in the workspace."}
      </p>
      {isOpen && (
        <FolderBrowser
          at={walk?.from === check.near ? walk.to : check.near}
          onGo={(to) => setWalk({ from: check.near, to })}
          onChoose={(path) => {
            onFolder(path);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}
