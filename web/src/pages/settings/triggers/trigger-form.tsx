import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import {
  EVENT_WORDS,
  LATE_POLICIES,
  TRIGGER_EVENTS,
  WEBHOOK_FORMS,
} from "../../../../../src/contract/words/autonomy/trigger-words.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog, DialogFoot } from "../../../ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { type Action, bodyOf, draftOf, NEW_TRIGGER, type Source, type TriggerDraft } from "./trigger-draft.ts";

interface Fields {
  draft: TriggerDraft;
  set: (change: Partial<TriggerDraft>) => void;
}

const SOURCE_WORDS: Record<Source, string> = {
  cron: "At set times (cron)",
  interval: "At an interval",
  webhook: "On a webhook",
  files: "On file changes",
  event: "On an event",
};

const ACTION_WORDS: Record<Action, string> = {
  message: "Send a message",
  spawn: "Start a run",
  team: "Start a team",
  orchestrate: "Start the orchestrator",
};

const LATE_WORDS = { skip: "Skip them", once: "Fire once", all: "Fire up to five" } as const;

/** Creates a trigger, or changes one. */
export function TriggerForm({
  trigger,
  projectId,
  onClose,
}: {
  trigger?: Trigger | undefined;
  projectId?: string | undefined;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(trigger === undefined ? NEW_TRIGGER : draftOf(trigger));
  const set = (change: Partial<TriggerDraft>) => setDraft({ ...draft, ...change });
  const done = { onDone: onClose, onFailure: shownInline };
  const add = useAct("createTrigger", { done: `Created ${draft.name}.`, ...done });
  const save = useAct("updateTrigger", { done: "Saved.", ...done });
  const send = () => {
    const body = bodyOf(draft, trigger);
    if (trigger !== undefined) save.mutate({ params: { name: trigger.name }, body, ifMatch: trigger.etag });
    else add.mutate({ body: { name: draft.name.trim(), ...body, ...(projectId === undefined ? {} : { projectId }) } });
  };
  const error = add.error ?? save.error;
  const fields = { draft, set };
  return (
    <Dialog title={trigger === undefined ? "Add trigger" : `Edit ${trigger.name}`} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {trigger === undefined && (
          <TextField
            label="Name"
            hint="Lower-case letters, digits and hyphens. Also the name of its file and webhook."
            required
            value={draft.name}
            onChange={({ target }) => set({ name: target.value })}
          />
        )}
        <When {...fields} />
        <What {...fields} isOfProject={(trigger?.projectId ?? projectId) !== undefined} had={trigger?.do} />
        <TextArea
          label="Instructions"
          hint="More words for the agent. If there is nothing to tell, it answers NOTHING_NEW, and the firing is quiet."
          rows={3}
          value={draft.words}
          onChange={({ target }) => set({ words: target.value })}
        />
        {error !== null && <Trouble error={error} />}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={add.isPending || save.isPending}>
            {trigger === undefined ? "Add trigger" : "Save"}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function When({ draft, set }: Fields) {
  return (
    <fieldset className="flex flex-col gap-3">
      <SelectField label="When" value={draft.source} onChange={({ target }) => set({ source: target.value as Source })}>
        {Object.entries(SOURCE_WORDS).map(([source, words]) => (
          <option key={source} value={source}>
            {words}
          </option>
        ))}
      </SelectField>
      <SourceFields draft={draft} set={set} />
      {(draft.source === "cron" || draft.source === "interval") && <Late draft={draft} set={set} />}
    </fieldset>
  );
}

function SourceFields({ draft, set }: Fields) {
  switch (draft.source) {
    case "cron":
      return (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="Cron"
            hint="Minute, hour, day, month, weekday."
            required
            value={draft.cron}
            onChange={({ target }) => set({ cron: target.value })}
          />
          <TextField
            label="Time zone"
            hint="Such as Europe/Berlin. Default: that of the machine."
            value={draft.timezone}
            onChange={({ target }) => set({ timezone: target.value })}
          />
        </div>
      );
    case "interval":
      return (
        <TextField
          label="Interval"
          hint="From 1s on, such as 30m, 6h or 7d."
          required
          value={draft.interval}
          onChange={({ target }) => set({ interval: target.value })}
        />
      );
    case "webhook":
      return <WebhookFields draft={draft} set={set} />;
    case "files":
      return (
        <TextArea
          label="Files"
          hint="Patterns of paths in the working folder, one per line, such as docs/**."
          rows={2}
          required
          value={draft.files}
          onChange={({ target }) => set({ files: target.value })}
        />
      );
    case "event":
      return (
        <SelectField
          label="Event"
          value={draft.event}
          onChange={({ target }) => set({ event: TRIGGER_EVENTS.find((one) => one === target.value) ?? "run.ended" })}
        >
          {TRIGGER_EVENTS.map((event) => (
            <option key={event} value={event}>
              {EVENT_WORDS[event]}
            </option>
          ))}
        </SelectField>
      );
  }
}

function WebhookFields({ draft, set }: Fields) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField
        label="Secret"
        hint="Environment variable, or line in .guildhall/secrets, with a secret of its own."
        placeholder="SHOP_WEBHOOK_SECRET"
        required
        value={draft.secretEnv}
        onChange={({ target }) => set({ secretEnv: target.value })}
      />
      <SelectField
        label="Signature"
        value={draft.form}
        onChange={({ target }) => set({ form: WEBHOOK_FORMS.find((one) => one === target.value) ?? "plain" })}
      >
        {WEBHOOK_FORMS.map((form) => (
          <option key={form}>{form}</option>
        ))}
      </SelectField>
      <div className="sm:col-span-2">
        <TextArea
          label="Events"
          hint="Names of events that count, one per line. All if empty."
          rows={2}
          value={draft.events}
          onChange={({ target }) => set({ events: target.value })}
        />
      </div>
    </div>
  );
}

function Late({ draft, set }: Fields) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label="Missed slots"
        value={draft.late}
        onChange={({ target }) => set({ late: LATE_POLICIES.find((one) => one === target.value) ?? "once" })}
      >
        {LATE_POLICIES.map((policy) => (
          <option key={policy} value={policy}>
            {LATE_WORDS[policy]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Late by at most"
        required
        value={draft.within}
        onChange={({ target }) => set({ within: target.value })}
      />
    </div>
  );
}

interface WhatProps extends Fields {
  isOfProject: boolean;
  had: Trigger["do"] | undefined;
}

function What({ draft, set, isOfProject, had }: WhatProps) {
  const offered: Action[] = ["message", "spawn", ...(isOfProject ? (["team"] as const) : [])];
  const actions: Action[] = had?.orchestrate ? [...offered, "orchestrate"] : offered;
  return (
    <fieldset className="flex flex-col gap-3">
      <SelectField
        label="Action"
        value={draft.action}
        onChange={({ target }) => set({ action: target.value as Action })}
      >
        {actions.map((action) => (
          <option key={action} value={action}>
            {ACTION_WORDS[action]}
          </option>
        ))}
      </SelectField>
      {draft.action === "message" && (
        <TextArea
          label="Message"
          hint={isOfProject ? "To the project's agent." : "To the main agent."}
          rows={3}
          value={draft.message}
          onChange={({ target }) => set({ message: target.value })}
        />
      )}
      {draft.action === "spawn" && <RunFields draft={draft} set={set} />}
      {draft.action === "team" && (
        <TextArea
          label="Goal"
          rows={3}
          required
          value={draft.goal}
          onChange={({ target }) => set({ goal: target.value })}
        />
      )}
    </fieldset>
  );
}

function RunFields({ draft, set }: Fields) {
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField label="Role" required value={draft.roleId} onChange={({ target }) => set({ roleId: target.value })}>
        <option value="">Choose a role</option>
        {roles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Task title"
        required
        value={draft.title}
        onChange={({ target }) => set({ title: target.value })}
      />
    </div>
  );
}
