import { useState } from "react";
import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Trouble } from "../../ui/states.tsx";
import { changeOf, type Drafts, draftsOf, type SettingsChange } from "./setting-drafts.ts";
import { SettingInput } from "./setting-input.tsx";

interface EditorProps {
  /** One, or all of a section. */
  settings: readonly Setting[];
  name: string;
  etag: string;
  onClose: () => void;
}

/** A form for a setting, or for the settings of a section with one Save. */
export function SettingEditor({ settings, name, etag, onClose }: EditorProps) {
  const [drafts, setDrafts] = useState<Drafts>(() => draftsOf(settings));
  const [problems, setProblems] = useState<Drafts>({});
  const [pending, setPending] = useState<SettingsChange>();
  const isLate = settings.some(({ restart }) => restart);
  const save = useAct("updateSettings", {
    done: ({ needsRestart }) => (needsRestart && isLate ? `Saved ${name}. Restart to apply it.` : `Saved ${name}.`),
    onDone: onClose,
    onFailure: shownInline,
  });
  const sensitiveIn = ({ set, reset }: SettingsChange) =>
    settings.filter(({ key, sensitive }) => sensitive && (Object.hasOwn(set, key) || reset.includes(key)));
  const send = (change: SettingsChange) =>
    save.mutate({ body: { ...change, confirmed: sensitiveIn(change).map(({ key }) => key) }, ifMatch: etag });
  const submit = (change: SettingsChange) => (sensitiveIn(change).length > 0 ? setPending(change) : send(change));
  const written = settings.filter(({ set }) => set).map(({ key }) => key);
  const isAlone = settings.length === 1;
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        const read = changeOf(settings, drafts);
        if ("problems" in read) return setProblems(read.problems);
        const { set, reset } = read.change;
        if (Object.keys(set).length + reset.length === 0) return onClose();
        submit(read.change);
      }}
    >
      <div className={isAlone ? "" : "grid gap-3 sm:grid-cols-2"}>
        {settings.map((setting) => (
          <SettingInput
            key={setting.key}
            setting={setting}
            isAlone={isAlone}
            typed={drafts[setting.key] ?? ""}
            problem={problems[setting.key]}
            change={(text) => {
              setDrafts((before) => ({ ...before, [setting.key]: text }));
              setProblems({});
            }}
          />
        ))}
      </div>
      {!isAlone && <p className="text-xs text-faint">Empty fields use their defaults.</p>}
      {save.error !== null && pending === undefined && <Trouble error={save.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" kind="primary" busy={save.isPending}>
          Save
        </Button>
        {isAlone && written.length > 0 && (
          <Button size="small" busy={save.isPending} onClick={() => submit({ set: {}, reset: written })}>
            Reset to default
          </Button>
        )}
        <Button size="small" kind="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {pending !== undefined && (
        <Confirm
          title={`Change ${sensitiveIn(pending)
            .map(({ key }) => key)
            .join(", ")}?`}
          action="Change setting"
          busy={save.isPending}
          error={save.error}
          onConfirm={() => send(pending)}
          onClose={() => setPending(undefined)}
        >
          <p>This setting affects where secrets are sent or what agents can reach.</p>
        </Confirm>
      )}
    </form>
  );
}
