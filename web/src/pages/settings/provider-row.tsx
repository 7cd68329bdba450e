import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyAnswer, ModelsReport, ProviderTest } from "../../../../src/contract/routes/model-routes.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyForm } from "../../ui/keys/key-form.tsx";
import { testWords } from "../../ui/keys/test-words.ts";
import { SettingEditor } from "./setting-editor.tsx";

type Provider = ModelsReport["providers"][number];

interface RowProps {
  provider: Provider;
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
  onSaved: (answer: KeyAnswer) => void;
}

export function ProviderRow({ provider, isOpen, onOpen, onClose, onSaved }: RowProps) {
  const { name, kind, baseUrl, keySource, source } = provider;
  const [test, setTest] = useState<ProviderTest>();
  const [isAdvanced, setAdvanced] = useState(false);
  const ask = useAct("testProvider", { onDone: (answer) => setTest(answer.test) });
  const remove = useAct("removeProviderKey", { done: () => `Removed the ${name} key.` });
  const isRemovable = keySource === "stored" || (source === "config" && keySource !== "environment");
  const verdict = test === undefined ? undefined : testWords(name, test);
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-2 text-sm last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{name}</span>
        <KeyState provider={provider} />
        <span className="min-w-0 text-faint wrap-anywhere">{baseUrl ?? kind}</span>
        <span className="ml-auto flex flex-wrap gap-2">
          {keySource !== "missing" && (
            <Button size="small" busy={ask.isPending} onClick={() => ask.mutate({ params: { name }, body: {} })}>
              Test
            </Button>
          )}
          <Button size="small" onClick={onOpen} disabled={isOpen}>
            {keySource === "stored" || keySource === "environment" ? "Replace key" : "Add key"}
          </Button>
          <Button size="small" aria-expanded={isAdvanced} onClick={() => setAdvanced(!isAdvanced)}>
            Advanced
          </Button>
          {isRemovable && (
            <Button
              size="small"
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { name } })}
            >
              Remove
            </Button>
          )}
        </span>
      </div>
      {verdict !== undefined && (
        <p role="status">
          <Badge tone={verdict.tone}>{verdict.tone === "good" ? "Works" : "Tested"}</Badge> {verdict.text}
        </p>
      )}
      {isOpen && (
        <KeyForm
          existing={{ name, baseUrl, isKeyless: keySource === "not_needed" }}
          focus
          onSaved={onSaved}
          onCancel={onClose}
        />
      )}
      {isAdvanced && <Advanced name={name} onClose={() => setAdvanced(false)} />}
    </li>
  );
}

/** Everything that config.yml can say about a provider. */
function Advanced({ name, onClose }: { name: string; onClose: () => void }) {
  const { data } = useQuery(queries.settings());
  if (data === undefined) return null;
  const section = `providers.${name}`;
  const settings = data.settings.filter((setting) => setting.section === section);
  return <SettingEditor settings={settings} name={section} etag={data.etag} onClose={onClose} />;
}

function KeyState({ provider: { keySource, keyNames = [] } }: { provider: Provider }) {
  switch (keySource) {
    case "stored":
      return <Badge tone="good">Key stored</Badge>;
    case "environment":
      return (
        <Badge tone="good" title="Set in the daemon's environment. Remove it there.">
          Key from environment: {keyNames.join(" or ")}
        </Badge>
      );
    case "missing":
      return <Badge tone="warn">No key</Badge>;
    case "not_needed":
      return <Badge tone="good">No key needed</Badge>;
  }
}
