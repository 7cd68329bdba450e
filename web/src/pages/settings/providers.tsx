import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ModelsReport } from "../../../../src/contract/routes/model-routes.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

export function Providers() {
  const models = useQuery(queries.models());
  return (
    <Section title="Models">
      <Loaded query={models}>{(data) => <Report report={data} />}</Loaded>
    </Section>
  );
}

function Report({ report }: { report: ModelsReport }) {
  const secretsFile = useQuery(queries.settings()).data?.paths.secrets;
  return (
    <Card className="divide-y divide-line">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
        <p className="min-w-0 flex-1 basis-72">
          The default is <code>{report.default}</code>.
          {report.default.startsWith("offline/") && (
            <span className="text-faint">
              {" "}
              It is the built-in one that only rehearses. For real work set a key such as ANTHROPIC_API_KEY in the
              environment of the daemon, or put it as a line <code>ANTHROPIC_API_KEY=…</code> into the file{" "}
              <code className="wrap-anywhere">{secretsFile}</code>; then start the daemon anew.
            </span>
          )}
        </p>
        <TestModel />
      </div>
      <ul>
        {report.providers.map((provider) => (
          <li
            key={provider.name}
            className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-sm last:border-b-0"
          >
            <span className="font-medium">{provider.name}</span>
            <ProviderState provider={provider} />
            <span className="text-faint">{provider.baseUrl ?? provider.kind}</span>
            {provider.models !== undefined && (
              <span className="text-xs text-faint">{provider.models.slice(0, 6).join(", ")}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ProviderState({ provider: { key, keyNames } }: { provider: ModelsReport["providers"][number] }) {
  if (keyNames === undefined) return <Badge tone="good">Needs no key</Badge>;
  if (key) return <Badge tone="good">Key found: {keyNames.join(" or ")}</Badge>;
  return <Badge>No key: {keyNames.join(" or ")}</Badge>;
}

/** Asks the default model for one word. */
function TestModel() {
  const [said, setSaid] = useState<string>();
  const test = useAct("testModel", {
    onDone: ({ ok, model, ms, error }) =>
      setSaid(ok ? `${model} answered in ${Math.round(ms)} ms.` : `${model}: ${error ?? "no answer"}`),
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-xs text-faint">
        {said}
      </span>
      <Button size="small" busy={test.isPending} onClick={() => test.mutate({ body: {} })}>
        Ask it for a word
      </Button>
    </div>
  );
}
