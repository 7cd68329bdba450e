import { useQuery } from "@tanstack/react-query";
import { KNOWN_TOOLS } from "../../../../src/contract/words/tool-names.ts";
import { queries } from "../../api/queries.ts";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { exactTime, TIME_LIMIT } from "../../ui/text/minutes.ts";
import { AskBefore } from "./ask-before.tsx";
import type { Draft } from "./role-draft.ts";
import { toolBoxes } from "./tool-groups.ts";

interface FormProps {
  draft: Draft;
  problems: Partial<Record<keyof Draft, string>>;
  /** By which a button elsewhere on the page belongs to it. */
  id: string;
  isNew: boolean;
  onChange: (draft: Draft) => void;
  onSubmit: () => void;
}

export function RoleForm({ id, draft, problems, isNew, onChange, onSubmit }: FormProps) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <form
      id={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Card className="flex flex-col gap-3 p-4">
        <div className="grid grid-cols-[4rem_1fr] gap-3">
          <TextField label="Emoji" value={draft.emoji} onChange={(event) => set({ emoji: event.target.value })} />
          <TextField
            label="Name"
            required
            value={draft.name}
            error={isNew && draft.name === "" ? undefined : problems.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        </div>
        {isNew && (
          <TextField
            label="ID"
            hint="Lowercase letters, digits and dashes. Created from the name if empty; can't be changed later."
            value={draft.id}
            onChange={(event) => set({ id: event.target.value })}
          />
        )}
        <TextArea
          label="Description"
          rows={2}
          value={draft.description}
          onChange={(event) => set({ description: event.target.value })}
        />
        <TextField
          label="Specialties"
          hint="Comma-separated. Used to suggest roles for tasks."
          value={draft.specialty}
          onChange={(event) => set({ specialty: event.target.value })}
        />
      </Card>
      <Card className="flex flex-col gap-3 p-4">
        <TextArea
          label="Prompt"
          hint="Placeholders such as {{projectName}}, {{workDir}} and {{task}} are filled in; see the preview."
          rows={14}
          className="font-mono text-xs"
          value={draft.systemPromptTemplate}
          onChange={(event) => set({ systemPromptTemplate: event.target.value })}
        />
        <TextField
          label="Custom variables"
          hint="Comma-separated names. You set their values when you start a run."
          value={draft.variables}
          onChange={(event) => set({ variables: event.target.value })}
        />
      </Card>
      <ModelPart draft={draft} problems={problems} set={set} />
      <ToolsPart draft={draft} set={set} />
    </form>
  );
}

type Part = { draft: Draft; set: (change: Partial<Draft>) => void };

function ModelPart({ draft, problems, set }: Part & Pick<FormProps, "problems">) {
  const { data } = useQuery(queries.models());
  const known = [
    ...new Set([
      "default",
      ...(data?.providers.flatMap(({ name, models }) => (models ?? []).map((model) => `${name}/${model}`)) ?? []),
    ]),
  ];
  return (
    <Card className="grid gap-3 p-4 sm:grid-cols-2">
      <TextField
        label="Model"
        hint={data === undefined ? undefined : `default is ${data.default}`}
        list="models"
        value={draft.model}
        error={problems.model}
        onChange={(event) => set({ model: event.target.value })}
      />
      <datalist id="models">
        {known.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <SelectField
        label="Thinking"
        value={draft.thinking}
        onChange={(event) => set({ thinking: event.target.value as Draft["thinking"] })}
      >
        {["off", "low", "medium", "high"].map((level) => (
          <option key={level}>{level}</option>
        ))}
      </SelectField>
      <TextField
        label={TIME_LIMIT}
        hint={exactTime(draft.timeout)}
        inputMode="decimal"
        value={draft.timeout}
        error={problems.timeout}
        onChange={(event) => set({ timeout: event.target.value })}
      />
      <TextField
        label="Temperature"
        hint="If empty, the provider's default."
        inputMode="decimal"
        value={draft.temperature}
        error={problems.temperature}
        onChange={(event) => set({ temperature: event.target.value })}
      />
      <TextField
        label="Max answer tokens"
        hint="If empty, the provider's default."
        inputMode="numeric"
        value={draft.maxTokens}
        error={problems.maxTokens}
        onChange={(event) => set({ maxTokens: event.target.value })}
      />
    </Card>
  );
}

function ToolsPart({ draft, set }: Part) {
  const packs = draft.skills.filter((skill) => !KNOWN_TOOLS.includes(skill));
  return (
    <Card className="flex flex-col gap-3 p-4">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">Permissions</legend>
        {toolBoxes(draft.skills).map(({ title, hint, isTicked, lockedBy, only, ticked, unticked }) => (
          <CheckField
            key={title}
            label={lockedBy === undefined ? title : `${title} (${lockedBy})`}
            hint={only.length === 0 ? hint : `${hint}; now only ${only.join(", ")}`}
            checked={isTicked}
            disabled={lockedBy !== undefined}
            onChange={(event) => set({ skills: event.target.checked ? ticked : unticked })}
          />
        ))}
      </fieldset>
      <AskBefore ask={draft.ask} onChange={(ask) => set({ ask })} />
      <TextField
        label="Skill packs"
        hint="Comma-separated names from the skills folder of the project or workspace."
        value={packs.join(", ")}
        onChange={(event) => {
          const names = event.target.value.split(",").map((name) => name.trimStart());
          set({
            skills: [...draft.skills.filter((skill) => !packs.includes(skill)), ...names.filter((name) => name !== "")],
          });
        }}
      />
    </Card>
  );
}
