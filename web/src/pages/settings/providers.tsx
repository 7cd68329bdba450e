import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { KeyAnswer, ModelsReport } from "../../../../src/contract/routes/model-routes.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { KeyForm } from "../../ui/keys/key-form.tsx";
import { SavedKey } from "../../ui/keys/saved-key.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { DefaultModel } from "./default-model.tsx";
import { ProviderRow } from "./provider-row.tsx";

/** Providers, their keys and the default model. `?section=models&provider=NAME` opens the key of a provider. */
export function Providers() {
  const models = useQuery(queries.models());
  const { section, provider } = useSearch({ strict: false });
  const here = useRef<HTMLDivElement>(null);
  const isWanted = section === "models";
  const isLoaded = models.data !== undefined;
  useEffect(() => {
    if (isWanted && isLoaded) here.current?.scrollIntoView({ block: "start" });
  }, [isWanted, isLoaded]);
  return (
    <div ref={here} id="models">
      <Section title="Models and keys">
        <Loaded query={models}>{(data) => <Report report={data} wanted={isWanted ? provider : undefined} />}</Loaded>
      </Section>
    </div>
  );
}

const NEW = "";

function Report({ report, wanted }: { report: ModelsReport; wanted: string | undefined }) {
  const { providers } = report;
  const isKnown = providers.some(({ name }) => name === wanted);
  const isBare = providers.length === 0;
  /** Whose key is being set; NEW for a provider that is not in the list. */
  const [open, setOpen] = useState<string | undefined>(
    wanted === undefined ? (isBare ? NEW : undefined) : isKnown ? wanted : NEW,
  );
  const [saved, setSaved] = useState<KeyAnswer>();
  const done = (answer: KeyAnswer) => {
    setSaved(answer);
    setOpen(undefined);
  };
  return (
    <Card className="divide-y divide-line">
      <DefaultModel report={report} />
      {providers.length > 0 && (
        <ul aria-label="Providers">
          {providers.map((provider) => (
            <ProviderRow
              key={provider.name}
              provider={provider}
              isOpen={open === provider.name}
              onOpen={() => setOpen(provider.name)}
              onClose={() => setOpen(undefined)}
              onSaved={done}
            />
          ))}
        </ul>
      )}
      {saved !== undefined && open === undefined && (
        <div className="px-4 py-3">
          <SavedKey answer={saved} />
        </div>
      )}
      <div className="px-4 py-3">
        {open === NEW ? (
          <KeyForm
            proposed={isKnown ? undefined : wanted}
            focus={wanted !== undefined}
            onSaved={done}
            {...(isBare ? {} : { onCancel: () => setOpen(undefined) })}
          />
        ) : (
          <Button size="small" onClick={() => setOpen(NEW)}>
            Add a key
          </Button>
        )}
      </div>
    </Card>
  );
}
