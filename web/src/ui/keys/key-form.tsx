import { useState } from "react";
import type { KeyAnswer } from "../../../../src/contract/routes/model-routes.ts";
import { nameOfServer } from "../../../../src/contract/words/provider-names.ts";
import { failureOf } from "../../api/failure.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { Button } from "../button.tsx";
import { SelectField, TextField } from "../field.tsx";
import { Trouble } from "../states.tsx";
import {
  COMPATIBLE,
  changeOf,
  EMPTY_DRAFT,
  type ExistingProvider,
  type KeyDraft,
  PROVIDER_CHOICES,
  RECOGNIZE,
  recognizedTitle,
  targetOf,
} from "./key-target.ts";

interface KeyFormProps {
  /** Its key is replaced, or its address changed. */
  existing?: ExistingProvider | undefined;
  /** Proposed for a new key. */
  proposed?: string | undefined;
  focus?: boolean;
  onSaved: (answer: KeyAnswer) => void;
  onCancel?: () => void;
}

/** Takes a key, has it tested, and shows why it was refused. The key leaves the page as soon as it is saved. */
export function KeyForm({ existing, proposed, focus = false, onSaved, onCancel }: KeyFormProps) {
  const [draft, setDraft] = useState<KeyDraft>(() => startOf(existing, proposed));
  const [missing, setMissing] = useState<string>();
  const save = useAct("setProviderKey", {
    onDone: (answer) => {
      setDraft(EMPTY_DRAFT);
      onSaved(answer);
    },
    onFailure: shownInline,
  });
  const change = (part: Partial<KeyDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    setMissing(undefined);
    if (save.error !== null) save.reset();
  };
  const send = (untested: boolean) => {
    const target = existing === undefined ? targetOf(draft) : changeOf(existing, draft);
    if ("missing" in target) return setMissing(target.missing);
    save.mutate({ params: { name: target.name }, body: { ...target.body, ...(untested ? { untested } : {}) } });
  };
  const canForce = save.error !== null && failureOf(save.error).code === "key_untested";
  return (
    <form
      className="flex flex-col gap-3"
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
    >
      <KeyFields draft={draft} change={change} existing={existing} focus={focus} missing={missing} />
      {save.error !== null && <Trouble error={save.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" busy={save.isPending}>
          {save.isPending ? "Testing the key…" : "Save key"}
        </Button>
        {canForce && (
          <Button busy={save.isPending} onClick={() => send(true)}>
            Save without a test
          </Button>
        )}
        {onCancel !== undefined && (
          <Button kind="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

function startOf(existing: ExistingProvider | undefined, proposed: string | undefined): KeyDraft {
  if (existing !== undefined) return { ...EMPTY_DRAFT, baseUrl: existing.baseUrl ?? "" };
  if (proposed === undefined) return EMPTY_DRAFT;
  const isKnown = PROVIDER_CHOICES.some(({ name }) => name === proposed);
  return isKnown ? { ...EMPTY_DRAFT, chosen: proposed } : { ...EMPTY_DRAFT, chosen: COMPATIBLE, name: proposed };
}

interface FieldsProps {
  draft: KeyDraft;
  change: (part: Partial<KeyDraft>) => void;
  existing: ExistingProvider | undefined;
  focus: boolean;
  missing: string | undefined;
}

function KeyFields({ draft, change, existing, focus, missing }: FieldsProps) {
  const { key, chosen, name, baseUrl, model } = draft;
  const recognized = recognizedTitle(key);
  const found = recognized === undefined ? "Recognize by key" : `Recognized: ${recognized}`;
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,14rem)]">
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        data-lpignore="true"
        autoFocus={focus}
        placeholder="Paste an API key"
        value={key}
        error={missing}
        hint="Tested with the provider, then stored on this machine, readable by you only. Never shown again."
        onChange={({ target }) => change({ key: target.value })}
      />
      {existing?.baseUrl !== undefined && <BaseUrl value={baseUrl} change={change} />}
      {existing === undefined && (
        <SelectField label="Provider" value={chosen} onChange={({ target }) => change({ chosen: target.value })}>
          <option value={RECOGNIZE}>{found}</option>
          {PROVIDER_CHOICES.map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
          <option value={COMPATIBLE}>OpenAI-compatible server</option>
        </SelectField>
      )}
      {chosen === COMPATIBLE && (
        <>
          <BaseUrl value={baseUrl} change={change} />
          <TextField
            label="Name"
            placeholder={nameOfServer(baseUrl) || "lab"}
            spellCheck={false}
            value={name}
            onChange={({ target }) => change({ name: target.value })}
            hint="Models appear as name/model."
          />
          <TextField
            label="Model (optional)"
            placeholder="First model the server lists"
            spellCheck={false}
            value={model}
            onChange={({ target }) => change({ model: target.value })}
          />
        </>
      )}
    </div>
  );
}

function BaseUrl({ value, change }: { value: string; change: FieldsProps["change"] }) {
  return (
    <TextField
      label="Base URL"
      placeholder="http://127.0.0.1:8000/v1"
      spellCheck={false}
      value={value}
      onChange={({ target }) => change({ baseUrl: target.value })}
      hint="With or without /v1."
    />
  );
}
