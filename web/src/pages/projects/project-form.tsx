import { useQuery } from "@tanstack/react-query";
import { Check, Circle, LoaderCircle, X } from "lucide-react";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { DialogFoot } from "../../ui/dialog.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { ModelField } from "../../ui/model-field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { ALL_COSTS } from "../settings/gates/gate-draft.ts";
import { CloneField, useAddressCheck } from "./clone-field.tsx";
import { FolderField, useFolderCheck } from "./folder-field.tsx";
import { nameOfFolder, type Step } from "./make-project.ts";
import { TeamPicker } from "./team-picker.tsx";
import { type NewProject, SOFTWARE, useMaking } from "./use-making.ts";

const EMPTY = {
  folder: "",
  cloneInto: "",
  name: "",
  description: "",
  goals: "",
  template: "",
  team: undefined,
  model: "",
  requireReview: true,
  checksAll: false,
};

interface FormProps {
  onMade: (id: string) => void;
  onClose: () => void;
  /** The person came to choose a folder. */
  startsWithFolders: boolean;
}

/** What a project needs to begin; only its name has to be given. */
export function ProjectForm({ onMade, onClose, startsWithFolders }: FormProps) {
  const [written, setGiven] = useState<Omit<NewProject, "team"> & { team: readonly string[] | undefined }>(EMPTY);
  const proposed = useQuery(queries.welcome()).data?.roleTemplates ?? [];
  const given: NewProject = { ...written, team: written.team ?? proposed };
  const address = useAddressCheck(given.folder);
  const folder = useFolderCheck(address.isAddress ? "" : given.folder);
  const check = address.isAddress ? { ...folder, ...address } : folder;
  const [isNamed, setNamed] = useState(false);
  const { make, cancel, steps, failure, isBusy } = useMaking(onMade);
  const set = (part: Partial<NewProject>) => setGiven((now) => ({ ...now, ...part }));
  const setFolder = (folder: string) =>
    set({ folder, ...(isNamed ? {} : { name: nameOfFolder(folder.replace(/\.git$/, "")) }) });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make(given);
      }}
    >
      <FolderField folder={given.folder} check={check} onFolder={setFolder} startsOpen={startsWithFolders} />
      {address.isAddress && (
        <CloneField check={address} folder={given.cloneInto} onFolder={(cloneInto) => set({ cloneInto })} />
      )}
      <TextField
        label="Name"
        required
        maxLength={120}
        value={given.name}
        onChange={({ target }) => {
          setNamed(target.value !== "");
          set({ name: target.value });
        }}
      />
      <TextArea
        label="Description (optional)"
        rows={2}
        value={given.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <TextArea
        label="Goals, one per line (optional)"
        rows={2}
        value={given.goals}
        onChange={({ target }) => set({ goals: target.value })}
      />
      <TeamPicker
        about={`${given.name} ${given.description} ${given.goals}`}
        chosen={given.team}
        onChoose={(team) => set({ team })}
      />
      <CheckField
        label="Review before merge"
        hint="Results wait for your approval. When off, they merge automatically."
        checked={given.requireReview}
        onChange={({ target }) => set({ requireReview: target.checked })}
      />
      <MoreFields given={given} set={set} />
      <Outcome steps={steps} failure={failure} />
      <DialogFoot>
        <Button onClick={isBusy && address.isAddress ? cancel : onClose}>
          {isBusy && address.isAddress ? "Cancel clone" : "Cancel"}
        </Button>
        <Button type="submit" kind="primary" busy={isBusy} disabled={given.name.trim() === "" || !check.isUsable}>
          {failure === undefined ? "Create project" : "Try again"}
        </Button>
      </DialogFoot>
    </form>
  );
}

function Outcome({ steps, failure }: { steps: readonly Step[]; failure: unknown }) {
  return (
    <>
      {steps.length > 0 && <Steps steps={steps} />}
      {failure !== undefined && <Trouble error={failure} />}
    </>
  );
}

function MoreFields({ given, set }: { given: NewProject; set: (part: Partial<NewProject>) => void }) {
  const templates = useQuery(queries.projectTemplates()).data?.templates ?? [];
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="text-sm font-medium">More options</summary>
      <div className="mt-3 flex flex-col gap-3">
        <SelectField
          label="Template"
          value={given.template}
          onChange={({ target }) => set({ template: target.value })}
          hint={templates.find(({ id }) => id === given.template)?.description ?? "Fills in fields you leave empty."}
        >
          <option value="">None</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        {given.template === SOFTWARE && (
          <CheckField
            label="Quality gates for all runs"
            hint={`${ALL_COSTS} When off, gates apply to teams only.`}
            checked={given.checksAll}
            onChange={({ target }) => set({ checksAll: target.checked })}
          />
        )}
        <ModelField
          label="Model"
          hint="For roles without their own model. If empty, the workspace default."
          value={given.model}
          onChange={({ target }) => set({ model: target.value })}
        />
      </div>
    </details>
  );
}

const SIGNS = {
  waiting: { Icon: Circle, ink: "text-faint", word: "pending" },
  doing: { Icon: LoaderCircle, ink: "animate-spin text-info", word: "in progress" },
  done: { Icon: Check, ink: "text-good", word: "done" },
  failed: { Icon: X, ink: "text-bad", word: "failed" },
} as const;

/** What is done, in progress and still to do. */
function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol aria-label="Progress" aria-live="polite" className="flex flex-col gap-1 text-sm">
      {steps.map(({ what, state }) => {
        const { Icon, ink, word } = SIGNS[state];
        return (
          <li key={what} className="flex items-center gap-2">
            <Icon size={14} className={`shrink-0 ${ink}`} aria-hidden />
            <span>
              {what}
              <span className="sr-only">: {word}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
