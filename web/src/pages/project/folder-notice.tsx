import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FolderGit, WorkdirView } from "../../../../src/contract/documents/workdir.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { visibleLine } from "../../ui/text/visible-text.ts";

const CONSEQUENCES: Record<WorkdirView["state"], string> = {
  ok: "",
  git_appeared: "The repository isn't used; agents work directly in the folder.",
  git_changed: "Runs that change files can't start.",
  folder_changed: "Agents can't use it.",
  missing: "Agents can't start.",
  unrecorded: "Agents can't use it.",
};

/** Says that the working folder is not the one that was named, and lets the person confirm it. */
export function FolderNotice({ id }: { id: string }) {
  const { data: folder } = useQuery(queries.workdir(id));
  if (folder === undefined || (folder.state === "ok" && folder.warnings.length === 0)) return null;
  return (
    <section
      aria-label="Working folder"
      className="flex flex-col gap-2 rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm"
    >
      {folder.state !== "ok" && <Change id={id} folder={folder} />}
      {folder.warnings.map((text) => (
        <p key={text}>Working folder: {visibleLine(text)}</p>
      ))}
    </section>
  );
}

function Change({ id, folder }: { id: string; folder: WorkdirView }) {
  const [asked, setAsked] = useState<WorkdirView>();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 basis-64">
        {folder.changes.map(visibleLine).join(" ")} {CONSEQUENCES[folder.state]}
      </p>
      {folder.fingerprint !== undefined && (
        <Button size="small" onClick={() => setAsked(folder)}>
          Review folder
        </Button>
      )}
      {asked !== undefined && <ConfirmFolder id={id} shown={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** `shown` stays what the person looks at: what is there by now may be something else, and is then refused. */
function ConfirmFolder({ id, shown, onClose }: { id: string; shown: WorkdirView; onClose: () => void }) {
  const confirm = useAct("confirmWorkdir", {
    done: "Working folder confirmed.",
    onDone: onClose,
    onFailure: shownInline,
  });
  const { workdir, recorded, now, fingerprint = "" } = shown;
  return (
    <Confirm
      title="Confirm the working folder?"
      action="Confirm folder"
      busy={confirm.isPending}
      error={confirm.error}
      onConfirm={() => confirm.mutate({ params: { id }, body: { fingerprint } })}
      onClose={onClose}
    >
      <p>
        Agents will work in {visibleLine(workdir)} as it is now and use the git repository shown. Confirm only if you
        made this change.
      </p>
      <Side title="Last confirmed" state={recorded} />
      <Side title="Now" state={now} />
    </Confirm>
  );
}

function Side({ title, state }: { title: string; state: WorkdirView["recorded"] }) {
  return (
    <div>
      <h3 className="text-xs font-semibold text-faint">{title}</h3>
      <p className="break-all">Folder: {state?.folder === undefined ? "none" : identity(state.folder)}</p>
      <p className="break-all">Git: {state?.git === undefined ? "unknown" : gitText(state.git)}</p>
    </div>
  );
}

function gitText(git: FolderGit): string {
  switch (git.state) {
    case "none":
      return "no repository";
    case "unusable":
      return visibleLine(`${git.at} ${git.reason}`);
    case "repository":
      return git.kind === "folder" ? identity(git.repository) : `${identity(git.records)} (from a .git file)`;
  }
}

function identity({ path, inode }: { path: string; inode: string }): string {
  return `${visibleLine(path)} (inode ${inode})`;
}
