import { useQuery } from "@tanstack/react-query";
import { queries } from "../../../api/queries.ts";
import { CheckField, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import { capital } from "../../../ui/text/capital.ts";
import { TIME_LIMIT } from "../../../ui/text/minutes.ts";
import { ARROWS_HINT, ProjectChoice, type TargetProject } from "../target-project.tsx";
import type { Order } from "./spawn-order.ts";
import { openVariables } from "./spawn-variables.ts";
import { useRoleOptions } from "./use-role-options.tsx";

interface SpawnFormProps {
  projectId: string;
  taskId: string | undefined;
  target?: TargetProject | undefined;
  order: Order;
  fitting: readonly string[];
  onChange: (order: Order) => void;
}

export function SpawnForm({ projectId, taskId, target, order, fitting, onChange }: SpawnFormProps) {
  const set = (change: Partial<Order>) => onChange({ ...order, ...change });
  const field = (name: "purpose" | "title" | "description" | "model" | "thinking" | "timeout") => ({
    value: order[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  const roles = useRoleOptions({ projectId, fitting });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {taskId === undefined && (
        <>
          <TextField
            label="Task"
            required
            autoFocus
            maxLength={500}
            autoComplete="off"
            onKeyDown={target?.onKeyDown}
            {...field("title")}
          />
          {target !== undefined && <ProjectChoice target={target} hint={ARROWS_HINT} />}
          <TextArea label="Description" hint="Markdown. Creates a task." rows={4} {...field("description")} />
        </>
      )}
      <SelectField
        label="Role"
        required
        value={order.roleId}
        onChange={(event) => set({ roleId: event.target.value, variables: {} })}
      >
        {order.roleId === "" && <option value="">Choose a role</option>}
        {roles}
      </SelectField>
      {taskId !== undefined && (
        <SelectField label="Purpose" {...field("purpose")}>
          <option value="">Automatic</option>
          <option value="work">Do the task</option>
          <option value="review">Review the result</option>
        </SelectField>
      )}
      <Variables {...{ projectId, taskId, order, set }} />
      <ModelField {...field("model")} placeholder="Inherit from role or project" />
      <div className="grid grid-cols-2 gap-3">
        <SelectField label="Thinking" {...field("thinking")}>
          <option value="">Inherit from role</option>
          {["off", "low", "medium", "high"].map((level) => (
            <option key={level} value={level}>
              {capital(level)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={TIME_LIMIT}
          type="number"
          min="0.01"
          max="1440"
          step="any"
          placeholder="Inherit from role"
          {...field("timeout")}
        />
      </div>
      <ContextFiles projectId={projectId} order={order} set={set} />
    </div>
  );
}

interface Part {
  order: Order;
  set: (change: Partial<Order>) => void;
}

/** Some roles have gaps in their prompt that are filled in for each run. */
function Variables({ projectId, taskId, order, set }: Part & Pick<SpawnFormProps, "projectId" | "taskId">) {
  const role = useQuery(queries.roles()).data?.roles.find(({ id }) => id === order.roleId);
  const project = useQuery(queries.project(projectId)).data?.project;
  const task = useQuery({ ...queries.task(projectId, taskId ?? ""), enabled: taskId !== undefined }).data?.task;
  if (role === undefined || project === undefined || (taskId !== undefined && task === undefined)) return null;
  const open = openVariables({ role, project, taskDescription: task?.description ?? order.description });
  return open.map((name) => (
    <TextField
      key={name}
      label={name}
      required
      hint="Used in the role's prompt."
      value={order.variables[name] ?? ""}
      onChange={(event) => set({ variables: { ...order.variables, [name]: event.target.value } })}
    />
  ));
}

const MOST_FILES = 200;

function ContextFiles({ projectId, order: { files }, set }: Part & { projectId: string }) {
  const { data } = useQuery(queries.context(projectId));
  const paths = (data?.files ?? []).map(({ path }) => path).slice(0, MOST_FILES);
  if (paths.length === 0) return null;
  const toggle = (path: string, isOn: boolean) =>
    set({ files: isOn ? [...files, path] : files.filter((other) => other !== path) });
  return (
    <details className="rounded-md border border-line px-3 py-2">
      <summary className="text-sm font-medium">
        Context files{files.length > 0 && <span className="text-faint"> · {files.length} chosen</span>}
      </summary>
      <div className="mt-2 flex max-h-48 flex-col gap-1.5 overflow-y-auto">
        {paths.map((path) => (
          <CheckField
            key={path}
            label={path}
            checked={files.includes(path)}
            onChange={(event) => toggle(path, event.target.checked)}
          />
        ))}
      </div>
    </details>
  );
}
