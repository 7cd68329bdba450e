import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { ModelField } from "../../ui/model-field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { FolderBrowser } from "./folder-browser.tsx";
import { nameOfFolder, type Step } from "./make-project.ts";
import { Steps } from "./steps.tsx";
import { TeamPicker } from "./team-picker.tsx";
import { type NewProject, useMaking } from "./use-making.ts";

const EMPTY: NewProject = {
  folder: "",
  name: "",
  description: "",
  goals: "",
  template: "",
  team: [],
  model: "",
  requireReview: false,
};

/** What a project needs to begin; only its name has to be given. */
export function ProjectForm({ onMade, onClose }: { onMade: (id: string) => void; onClose: () => void }) {
  const [given, setGiven] = useState(EMPTY);
  const [isNamed, setNamed] = useState(false);
  const { make, steps, failure, isBusy } = useMaking(onMade);
  const set = (part: Partial<NewProject>) => setGiven((now) => ({ ...now, ...part }));
  const setFolder = (folder: string) => set({ folder, ...(isNamed ? {} : { name: nameOfFolder(folder) }) });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        make(given);
      }}
    >
      <FolderField folder={given.folder} onFolder={setFolder} />
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
      <MoreFields given={given} set={set} />
      <Outcome steps={steps} failure={failure} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={isBusy} disabled={given.name.trim() === ""}>
          {failure === undefined ? "Create the project" : "Try again"}
        </Button>
      </div>
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

function FolderField({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const [at, setAt] = useState<string>();
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Folder (optional)"
            placeholder="/home/you/code/shop"
            spellCheck={false}
            autoComplete="off"
            value={folder}
            onChange={({ target }) => onFolder(target.value)}
          />
        </div>
        <Button aria-expanded={at !== undefined} onClick={() => setAt(at === undefined ? folder : undefined)}>
          Browse
        </Button>
      </div>
      <p className="text-xs text-faint">
        Where the code is and agents work. Without one, they work in a folder of the hall.
      </p>
      {at !== undefined && (
        <FolderBrowser
          at={at}
          onGo={setAt}
          onChoose={(path) => {
            onFolder(path);
            setAt(undefined);
          }}
        />
      )}
    </div>
  );
}

function MoreFields({ given, set }: { given: NewProject; set: (part: Partial<NewProject>) => void }) {
  const templates = useQuery(queries.projectTemplates()).data?.templates ?? [];
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="text-sm font-medium">More: template, model, review</summary>
      <div className="mt-3 flex flex-col gap-3">
        <SelectField
          label="Template"
          value={given.template}
          onChange={({ target }) => set({ template: target.value })}
          hint={templates.find(({ id }) => id === given.template)?.description ?? "It fills what you leave open."}
        >
          <option value="">None</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <ModelField
          label="Model"
          hint="For every role that names none. Leave it open for the hall's default."
          value={given.model}
          onChange={({ target }) => set({ model: target.value })}
        />
        <CheckField
          label="Every result waits for my review"
          hint="Nothing is merged before you approve it."
          checked={given.requireReview}
          onChange={({ target }) => set({ requireReview: target.checked })}
        />
      </div>
    </details>
  );
}
