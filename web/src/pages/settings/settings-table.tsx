import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Setting, SettingsReport } from "../../../../src/contract/routes/settings-routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { type SettingGroup, settingGroups, valueText } from "./setting-groups.ts";

/** Every key of config.yml: what counts, and what it is for; folded until something is looked for. */
export function SettingsTable({ settings, secrets }: Pick<SettingsReport, "settings" | "secrets">) {
  const [wanted, setWanted] = useState("");
  const [onlySet, setOnlySet] = useState(false);
  const isNarrowed = onlySet || wanted.trim() !== "";
  const groups = settingGroups(settings, { wanted, onlySet });
  return (
    <Section title="Settings and limits">
      <div className="flex flex-wrap items-center gap-4">
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            label="Find a setting"
            hideLabel
            placeholder="Find a setting"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
        <CheckField
          label="Only what config.yml sets"
          checked={onlySet}
          onChange={(event) => setOnlySet(event.target.checked)}
        />
      </div>
      {groups.length === 0 && <p className="text-sm text-faint">No setting matches.</p>}
      {groups.length > 0 && (
        <Card className="divide-y divide-line">
          {groups.map((group) => (
            <Group key={`${group.name} ${isNarrowed}`} group={group} startsOpen={isNarrowed} />
          ))}
        </Card>
      )}
      {secrets.length > 0 && (
        <p className="text-xs text-faint">
          Keys are looked for in {secrets.map(({ name, set }) => `${name}${set ? " (found)" : ""}`).join(", ")}. They
          are never shown.
        </p>
      )}
    </Section>
  );
}

function Group({ group: { name, settings }, startsOpen }: { group: SettingGroup; startsOpen: boolean }) {
  const changed = settings.filter(({ set }) => set).length;
  return (
    <details open={startsOpen}>
      <summary className="flex items-center gap-2 px-4 py-2 text-sm font-semibold">
        {name}
        <span className="text-xs font-normal text-faint">{plural(settings.length, "setting")}</span>
        {changed > 0 && <Badge tone="info">{changed} set</Badge>}
        <ChevronDown size={14} aria-hidden className="ml-auto text-faint" />
      </summary>
      <dl className="border-t border-line">
        {settings.map((setting) => (
          <Row key={setting.key} setting={setting} />
        ))}
      </dl>
    </details>
  );
}

function Row({ setting: { key, value, default: usual, set, about } }: { setting: Setting }) {
  return (
    <div className="grid gap-x-4 border-b border-line px-4 py-2 text-sm last:border-b-0 sm:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <dt>
        <code>{key}</code>
        <span className="block text-xs text-faint">{about}</span>
      </dt>
      <dd className="flex flex-wrap items-baseline gap-2">
        <code className="wrap-anywhere">{valueText(value)}</code>
        {set && <Badge tone="info">set</Badge>}
        {set && valueText(usual) !== valueText(value) && (
          <span className="text-xs text-faint">else {valueText(usual)}</span>
        )}
      </dd>
    </div>
  );
}
