import { useQuery } from "@tanstack/react-query";
import type { ChangeEvent, ReactNode } from "react";
import { queries } from "../../../api/queries.ts";
import { CheckField, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import type { SettingsDraft } from "./settings-draft.ts";

export interface FieldsProps {
  draft: SettingsDraft;
  set: (part: Partial<SettingsDraft>) => void;
}

function Group({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-sm text-faint">{lead}</p>
      </div>
      <div className="flex flex-col gap-3 rounded-lg border border-line bg-card p-4">{children}</div>
    </section>
  );
}

type Written = { [Key in keyof SettingsDraft]: SettingsDraft[Key] extends string ? Key : never }[keyof SettingsDraft];

/** A field of the draft that holds text. */
function bound({ draft, set }: FieldsProps, key: Written) {
  return {
    value: draft[key],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      set({ [key]: target.value }),
  };
}

const TWO = "grid gap-3 sm:grid-cols-2";
const THREE = "grid gap-3 sm:grid-cols-3";

export function PurposeFields(props: FieldsProps) {
  return (
    <Group title="What it is for" lead="Agents are told this before they begin.">
      <TextField label="Name" required maxLength={120} {...bound(props, "name")} />
      <TextArea label="Description" rows={3} {...bound(props, "description")} />
      <TextArea label="Goals, one per line" rows={3} {...bound(props, "goals")} />
      <div className={TWO}>
        <TextArea label="In scope, one per line" rows={3} {...bound(props, "scopeIn")} />
        <TextArea label="Out of scope, one per line" rows={3} {...bound(props, "scopeOut")} />
      </div>
      <div className={THREE}>
        <TextField label="Languages" hint="With commas between" {...bound(props, "languages")} />
        <TextField label="Frameworks" {...bound(props, "frameworks")} />
        <TextField label="Tools" {...bound(props, "tools")} />
      </div>
    </Group>
  );
}

export function WorkFields(props: FieldsProps) {
  const { draft, set } = props;
  return (
    <Group title="How it is worked on" lead="Where agents work, with which model, and what happens to their results.">
      <TextField
        label="Working folder"
        hint="The folder with the code, as an absolute path. Without one, agents work in the project's own folder."
        spellCheck={false}
        {...bound(props, "workdir")}
      />
      <div className={TWO}>
        <ModelField
          hint="For every role here that names none; the hall's default otherwise."
          {...bound(props, "model")}
        />
        <TextField
          label="Branch that results go into"
          hint="The one that is checked out, unless named."
          spellCheck={false}
          {...bound(props, "branch")}
        />
      </div>
      <CheckField
        label="Review before merge"
        hint="Results wait for your approval. Turned off, they merge automatically."
        checked={draft.requireReview}
        onChange={({ target }) => set({ requireReview: target.checked })}
      />
      <SelectField
        label="Merge method"
        hint="How results get into the branch. You can choose another when you approve one."
        {...bound(props, "mergeMethod")}
      >
        <option value="">Merge commit</option>
        <option value="squash">Squash into one commit</option>
      </SelectField>
      <div className={TWO}>
        <TextField
          label="Time limit of a run, minutes"
          type="number"
          min="0.01"
          max="1440"
          step="any"
          {...bound(props, "defaultTimeout")}
        />
        <TextField label="Most tokens of a task" type="number" min={1} {...bound(props, "maxTokensPerTask")} />
      </div>
      <div className={TWO}>
        <TextField label="Address of the repository" {...bound(props, "repoUrl")} />
        <TextArea
          label="Environment files, one per line"
          hint="Agents' commands find them empty."
          rows={2}
          spellCheck={false}
          {...bound(props, "envFiles")}
        />
      </div>
    </Group>
  );
}

export function SandboxFields(props: FieldsProps) {
  const { draft, set } = props;
  const { data } = useQuery(queries.status());
  const now = data === undefined ? "" : ` On this machine: ${data.sandbox.name}.`;
  return (
    <Group title="Sandbox" lead={`What the commands that agents run may reach.${now}`}>
      <SelectField
        label="Network"
        hint="With it, commands also reach what listens on this machine."
        {...bound(props, "network")}
      >
        <option value="">Not set, which means no</option>
        <option value="no">No</option>
        <option value="yes">Yes</option>
      </SelectField>
      <div className={TWO}>
        <TextArea
          label="May also read, one path per line"
          hint="Beside the working folder and the toolchains."
          rows={2}
          spellCheck={false}
          {...bound(props, "readable")}
        />
        <TextArea
          label="May also change, one path per line"
          hint="Beside the working folder."
          rows={2}
          spellCheck={false}
          {...bound(props, "writable")}
        />
        <TextField label="Memory in MB" type="number" min={64} {...bound(props, "memoryMb")} />
        <TextField label="Processes" type="number" min={8} {...bound(props, "processes")} />
      </div>
      <CheckField
        label="Run commands without a sandbox where none works"
        hint="They then have all the rights of your user. Only for machines that are themselves thrown away."
        checked={draft.unsandboxed}
        onChange={({ target }) => set({ unsandboxed: target.checked })}
      />
    </Group>
  );
}
