import { useQuery } from "@tanstack/react-query";
import type { SettingsReport } from "../../../../../src/contract/routes/settings-routes.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Page } from "../../../ui/page.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { gateDraftOf } from "./gate-draft.ts";
import { GateForm } from "./gate-form.tsx";

const SECTION = "agentTeams.qualityGates.";

/** How changes are judged in every project that does not say otherwise. */
export default function HallGatesPage() {
  const settings = useQuery(queries.settings());
  return (
    <Page
      title="Quality gates"
      lead="How changes are judged before they count. Each project can override these in its settings."
    >
      <SettingsTabs />
      <Loaded query={settings} loading={<Loading lines={8} />}>
        {(data) => <HallForm report={data} />}
      </Loaded>
    </Page>
  );
}

function HallForm({ report: { settings, etag } }: { report: SettingsReport }) {
  const save = useAct("updateSettings", { done: "Saved.", onFailure: shownInline, untilShown: true });
  const byKey = new Map(settings.map((setting) => [setting.key, setting]));
  const at = (key: string) => byKey.get(`${SECTION}${key}`);
  return (
    <GateForm
      now={gateDraftOf((key) => (at(key)?.set ? at(key)?.value : undefined))}
      inherited={(key) => at(key)?.default}
      busy={save.isPending}
      error={save.error}
      onSave={(change, done) => {
        const set = change.filter(([, value]) => value !== null).map(([key, value]) => [`${SECTION}${key}`, value]);
        const reset = change.filter(([, value]) => value === null).map(([key]) => `${SECTION}${key}`);
        save.mutate({ body: { set: Object.fromEntries(set), reset }, ifMatch: etag }, { onSuccess: done });
      }}
    />
  );
}
