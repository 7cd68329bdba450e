import { useState } from "react";
import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";
import { draftOf, typedValue, valueText } from "./setting-groups.ts";

type Update = { set?: Record<string, unknown>; reset?: string[] };

/** One setting: its value, what it does, and how it is changed. */
export function SettingRow({ setting, etag }: { setting: Setting; etag: string }) {
  const { key, value, default: usual, set, about, restart } = setting;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="grid gap-x-4 gap-y-1 border-b border-line px-4 py-2 text-sm last:border-b-0 sm:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <dt>
        <code>{key}</code>
        <span className="block text-xs text-faint">
          {about} {restart && "Takes effect after a restart."}
        </span>
      </dt>
      <dd className="flex min-w-0 flex-col gap-2">
        {isOpen ? (
          <Editor setting={setting} etag={etag} onClose={() => setOpen(false)} />
        ) : (
          <div className="flex flex-wrap items-baseline gap-2">
            <code className="wrap-anywhere">{valueText(value)}</code>
            {set && <Badge tone="info">set</Badge>}
            {set && valueText(usual) !== valueText(value) && (
              <span className="text-xs text-faint">default: {valueText(usual)}</span>
            )}
            <Button size="small" className="ml-auto" aria-label={`Edit ${key}`} onClick={() => setOpen(true)}>
              Edit
            </Button>
          </div>
        )}
      </dd>
    </div>
  );
}

function Editor({ setting, etag, onClose }: { setting: Setting; etag: string; onClose: () => void }) {
  const { key, form, value, set, sensitive } = setting;
  // What is shown of a hidden value must not be sent back.
  const isHidden = key === "notify.url";
  const [typed, setTyped] = useState(isHidden ? "" : draftOf(form, value));
  const [problem, setProblem] = useState<string>();
  const [pending, setPending] = useState<Update>();
  const save = useAct("updateSettings", {
    done: ({ needsRestart }) => (needsRestart ? `Saved ${key}. Restart to apply it.` : `Saved ${key}.`),
    onDone: onClose,
    onFailure: shownInline,
  });
  const send = (update: Update, confirmed: string[] = []) =>
    save.mutate({ body: { ...update, confirmed }, ifMatch: etag });
  const submit = (update: Update) => (sensitive ? setPending(update) : send(update));
  const change = (text: string) => {
    setTyped(text);
    setProblem(undefined);
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const read = typedValue(form, typed);
        if ("problem" in read) setProblem(read.problem);
        else submit({ set: { [key]: read.value } });
      }}
    >
      <Input setting={setting} typed={typed} problem={problem} change={change} />
      {save.error !== null && pending === undefined && <Trouble error={save.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" kind="primary" busy={save.isPending}>
          Save
        </Button>
        {set && (
          <Button size="small" busy={save.isPending} onClick={() => submit({ reset: [key] })}>
            Reset to default
          </Button>
        )}
        <Button size="small" kind="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {pending !== undefined && (
        <Confirm
          title={`Change ${key}?`}
          action="Change setting"
          busy={save.isPending}
          error={save.error}
          onConfirm={() => send(pending, [key])}
          onClose={() => setPending(undefined)}
        >
          <p>This setting affects where secrets are sent or what agents can reach.</p>
        </Confirm>
      )}
    </form>
  );
}

interface InputProps {
  setting: Setting;
  typed: string;
  problem: string | undefined;
  change: (text: string) => void;
}

const HINTS = { list: "Comma-separated.", data: "JSON." } as const;

function Input({ setting: { key, form }, typed, problem, change }: InputProps) {
  const common = { label: key, hideLabel: true, error: problem, value: typed };
  switch (form.kind) {
    case "switch":
      return (
        <SelectField {...common} onChange={({ target }) => change(target.value)}>
          <option value="true">true</option>
          <option value="false">false</option>
        </SelectField>
      );
    case "choice":
      return (
        <SelectField {...common} onChange={({ target }) => change(target.value)}>
          <option value="">none</option>
          {form.choices?.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </SelectField>
      );
    case "data":
      return <TextArea {...common} hint={HINTS.data} onChange={({ target }) => change(target.value)} />;
    case "number":
    case "text":
    case "list":
      return (
        <TextField
          {...common}
          spellCheck={false}
          inputMode={form.kind === "number" ? "decimal" : "text"}
          {...(form.kind === "list" ? { hint: HINTS.list } : {})}
          {...(form.nullable === true ? { hint: "Leave empty for no limit." } : {})}
          onChange={({ target }) => change(target.value)}
        />
      );
  }
}
