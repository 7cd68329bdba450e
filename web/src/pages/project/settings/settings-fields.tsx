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
    <Group title="About" lead="Every agent gets this before it starts.">
      <TextField label="Name" required maxLength={120} {...bound(props, "name")} />
      <TextArea label="Description" rows={3} {...bound(props, "description")} />
      <TextArea label="Goals, one per line" rows={3} {...bound(props, "goals")} />
      <div className={TWO}>
        <TextArea label="In scope, one per line" rows={3} {...bound(props, "scopeIn")} />
        <TextArea label="Out of scope, one per line" rows={3} {...bound(props, "scopeOut")} />
      </div>
      <div className={THREE}>
        <TextField label="Languages" hint="Comma-separated" {...bound(props, "languages")} />
        <TextField label="Frameworks" {...bound(props, "frameworks")} />
        <TextField label="Tools" {...bound(props, "tools")} />
      </div>
    </Group>
  );
}

export function WorkFields(props: FieldsProps) {
  const { draft, set } = props;
  return (
    <Group title="Runs" lead="Where agents work, which model they use, and what happens to results.">
      <TextField
        label="Working folder"
        hint="Absolute path of the folder with your code. If empty, agents work in the project's folder in the workspace."
        spellCheck={false}
        {...bound(props, "workdir")}
      />
      <div className={TWO}>
        <ModelField
          hint="For roles without their own model. If empty, the workspace default."
          {...bound(props, "model")}
        />
        <TextField
          label="Target branch"
          hint="Branch that results merge into. If empty, the checked-out branch."
          spellCheck={false}
          {...bound(props, "branch")}
        />
      </div>
      <CheckField
        label="Review before merge"
        hint="Results wait for your approval. When off, they merge automatically."
        checked={draft.requireReview}
        onChange={({ target }) => set({ requireReview: target.checked })}
      />
      <SelectField
        label="Merge method"
        hint="You can choose another when you approve a result."
        {...bound(props, "mergeMethod")}
      >
        <option value="">Merge commit</option>
        <option value="squash">Squash into one commit</option>
      </SelectField>
      <SelectField
        label="Orchestrator"
        hint="What the orchestrator may do in this project. It is switched on in Settings."
        {...bound(props, "autonomy")}
      >
        <option value="">Nothing</option>
        <option value="work">Start agents on existing initiatives</option>
        <option value="initiatives">Also create initiatives</option>
      </SelectField>
      <div className={TWO}>
        <TextField
          label="Time limit per run, minutes"
          type="number"
          min="0.01"
          max="1440"
          step="any"
          {...bound(props, "defaultTimeout")}
        />
        <TextField label="Max tokens per task" type="number" min={1} {...bound(props, "maxTokensPerTask")} />
        <TextField label="Max tool calls per run" type="number" min={1} {...bound(props, "maxToolCallsPerRun")} />
      </div>
      <div className={TWO}>
        <TextField label="Repository URL" {...bound(props, "repoUrl")} />
        <TextArea
          label="Environment files, one per line"
          hint="Agents' commands see these files as empty."
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
    <Group title="Sandbox" lead={`What agents' commands can access.${now}`}>
      <SelectField
        label="Network"
        hint="Also lets commands reach services on this machine."
        {...bound(props, "network")}
      >
        <option value="">Default (no)</option>
        <option value="no">No</option>
        <option value="yes">Yes</option>
      </SelectField>
      <div className={TWO}>
        <TextArea
          label="Additional readable paths, one per line"
          hint="In addition to the working folder and toolchains."
          rows={2}
          spellCheck={false}
          {...bound(props, "readable")}
        />
        <TextArea
          label="Additional writable paths, one per line"
          hint="In addition to the working folder."
          rows={2}
          spellCheck={false}
          {...bound(props, "writable")}
        />
        <TextField label="Memory in MB" type="number" min={64} {...bound(props, "memoryMb")} />
        <TextField label="Processes" type="number" min={8} {...bound(props, "processes")} />
      </div>
      <CheckField
        label="Run commands without a sandbox if none is available"
        hint="Commands then have all your user's permissions. Only for disposable machines."
        checked={draft.unsandboxed}
        onChange={({ target }) => set({ unsandboxed: target.checked })}
      />
    </Group>
  );
}

export function WorktreeFields(props: FieldsProps) {
  return (
    <Group
      title="Worktrees"
      lead="Commands that prepare the worktree of each run, in the sandbox. They find GUILDHALL_PORT and GUILDHALL_DATA; files that they create must be ignored by git."
    >
      <div className={TWO}>
        <TextArea
          label="Setup commands, one per line"
          hint="Such as npm ci. If one fails, the run does not start."
          rows={2}
          spellCheck={false}
          {...bound(props, "setup")}
        />
        <TextArea
          label="Teardown commands, one per line"
          hint="Run before the worktree is removed."
          rows={2}
          spellCheck={false}
          {...bound(props, "teardown")}
        />
        <TextField
          label="Setup time limit, seconds"
          hint="If empty, 600."
          type="number"
          min={1}
          max={7200}
          {...bound(props, "setupTimeout")}
        />
      </div>
    </Group>
  );
}
