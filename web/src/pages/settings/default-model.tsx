import { useState } from "react";
import type { ModelsReport } from "../../../../src/contract/routes/model-routes.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { ModelField } from "../../ui/model-field.tsx";

/** The model that is used where no other is named. */
export function DefaultModel({ report }: { report: ModelsReport }) {
  const [typed, setTyped] = useState<string>();
  const [said, setSaid] = useState<string>();
  const save = useAct("updateSettings", { done: "Default model changed.", onDone: () => setTyped(undefined) });
  const test = useAct("testModel", {
    onDone: ({ ok, model, ms, error }) =>
      setSaid(ok ? `${model} answered in ${Math.round(ms)} ms.` : `${model}: ${error ?? "no answer"}`),
  });
  const isOffline = report.default === report.offline;
  const model = typed ?? report.default;
  const isChanged = model.trim() !== "" && model !== report.default;
  return (
    <form
      className="flex flex-wrap items-end gap-x-3 gap-y-2 px-4 py-3 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) save.mutate({ body: { set: { "models.default": model.trim() } } });
      }}
    >
      <div className="min-w-0 flex-1 basis-72">
        <ModelField
          label="Default model"
          value={model}
          onChange={({ target }) => setTyped(target.value)}
          hint={
            isOffline
              ? "The built-in offline model only rehearses tasks. Add an API key to run real agents."
              : "Used unless a role, project or task sets another."
          }
        />
      </div>
      <div className="flex flex-wrap items-center gap-2 pb-5">
        {isChanged && (
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save
          </Button>
        )}
        <Button busy={test.isPending} onClick={() => test.mutate({ body: {} })}>
          Test connection
        </Button>
      </div>
      <p role="status" className="basis-full text-xs text-faint empty:hidden">
        {said}
      </p>
    </form>
  );
}
