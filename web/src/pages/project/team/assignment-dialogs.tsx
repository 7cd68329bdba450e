import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Assignment } from "../../../../../src/contract/documents/project.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../../../ui/field.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import { Loaded, Trouble } from "../../../ui/states.tsx";
import { exactTime, minutesOf, TIME_LIMIT } from "../../../ui/text/minutes.ts";
import { AskBefore } from "../../roles/ask-before.tsx";
import { overrideOf } from "./override.ts";

interface AssignProps {
  projectId: string;
  taken: readonly string[];
  onClose: () => void;
}

export function AssignDialog({ projectId, taken, onClose }: AssignProps) {
  const roles = useQuery(queries.roles());
  return (
    <Dialog title="Add a role" onClose={onClose}>
      <Loaded query={roles}>
        {({ roles: all }) => {
          const free = all.filter(({ id }) => !taken.includes(id));
          if (free.length === 0)
            return (
              <p className="text-sm">
                Every role is already on the team.{" "}
                <Link to="/roles" className="text-accent underline" onClick={onClose}>
                  New role
                </Link>
              </p>
            );
          return <AssignForm projectId={projectId} free={free} onClose={onClose} />;
        }}
      </Loaded>
    </Dialog>
  );
}

function AssignForm({
  projectId,
  free,
  onClose,
}: {
  projectId: string;
  free: readonly { id: string; name: string; emoji: string; description: string }[];
  onClose: () => void;
}) {
  const [roleId, setRole] = useState(free[0]?.id ?? "");
  const [isAuto, setAuto] = useState(false);
  const [model, setModel] = useState("");
  const assign = useAct("createAssignment", { done: "Added to the team.", onDone: onClose, onFailure: shownInline });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const own = model.trim() === "" ? {} : { modelConfig: { model: model.trim() } };
        assign.mutate({ params: { id: projectId }, body: { roleId, mode: isAuto ? "auto" : "on-demand", ...own } });
      }}
    >
      <SelectField
        label="Role"
        value={roleId}
        onChange={({ target }) => setRole(target.value)}
        hint={free.find(({ id }) => id === roleId)?.description}
      >
        {free.map(({ id, name, emoji }) => (
          <option key={id} value={id}>
            {emoji} {name}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="Start automatically"
        hint="When off, it runs only on demand."
        checked={isAuto}
        onChange={({ target }) => setAuto(target.checked)}
      />
      <ModelField
        label="Model (optional)"
        hint="Leave empty to use the role's model."
        value={model}
        onChange={({ target }) => setModel(target.value)}
      />
      {assign.error !== null && <Trouble error={assign.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={assign.isPending}>
          Add
        </Button>
      </div>
    </form>
  );
}

export function OverrideDialog({
  assignment,
  name,
  onClose,
}: {
  assignment: Assignment;
  name: string;
  onClose: () => void;
}) {
  const [model, setModel] = useState(assignment.modelConfig?.model ?? "");
  const [thinking, setThinking] = useState<string>(assignment.modelConfig?.thinking ?? "");
  const [timeout, setTimeoutText] = useState(minutesOf(assignment.modelConfig?.timeout));
  const [tools, setTools] = useState(assignment.skills?.join(", ") ?? "");
  const [ask, setAsk] = useState<readonly string[]>(assignment.ask ?? []);
  const role = useQuery(queries.roles()).data?.roles.find(({ id }) => id === assignment.roleId);
  const update = useAct("updateAssignment", { done: "Saved.", onDone: onClose, onFailure: shownInline });
  return (
    <Dialog title={`${name} in this project`} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const body = overrideOf(assignment, { model, thinking, timeout, tools, ask });
          update.mutate({ params: { id: assignment.projectId, assignmentId: assignment.id }, body });
        }}
      >
        <p className="text-sm text-faint">Empty fields inherit from the role.</p>
        <ModelField value={model} onChange={({ target }) => setModel(target.value)} />
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField label="Thinking" value={thinking} onChange={({ target }) => setThinking(target.value)}>
            <option value="">Inherit from role</option>
            {["off", "low", "medium", "high"].map((level) => (
              <option key={level}>{level}</option>
            ))}
          </SelectField>
          <TextField
            label={TIME_LIMIT}
            hint={exactTime(timeout)}
            type="number"
            min="0.01"
            max="1440"
            step="any"
            value={timeout}
            onChange={({ target }) => setTimeoutText(target.value)}
          />
        </div>
        <TextField
          label="Tools and skills"
          hint="Comma-separated: read, write, exec… Replaces the role's list."
          value={tools}
          onChange={({ target }) => setTools(target.value)}
        />
        <AskBefore ask={ask} inherited={role?.ask ?? []} onChange={setAsk} />
        {update.error !== null && <Trouble error={update.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={update.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
