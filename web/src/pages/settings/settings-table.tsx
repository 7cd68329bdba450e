import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Setting, SettingsReport } from "../../../../src/contract/routes/settings-routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { editedTogether, type SettingGroup, settingGroups } from "./setting-groups.ts";
import { SettingRow } from "./setting-row.tsx";

/** Every setting of config.yml, to read and to change; folded until something is looked for. */
export function SettingsTable({ settings, etag }: Pick<SettingsReport, "settings" | "etag">) {
  const [wanted, setWanted] = useState("");
  const [onlySet, setOnlySet] = useState(false);
  const isNarrowed = onlySet || wanted.trim() !== "";
  const groups = settingGroups(settings, { wanted, onlySet });
  return (
    <Section title="All settings">
      <div className="flex flex-wrap items-center gap-4">
        <div className="min-w-0 flex-1 basis-60">
          <TextField
            label="Search settings"
            hideLabel
            placeholder="Search settings"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
        <CheckField
          label="Only settings from config.yml"
          checked={onlySet}
          onChange={(event) => setOnlySet(event.target.checked)}
        />
      </div>
      {groups.length === 0 && <p className="text-sm text-faint">No settings match this search.</p>}
      {groups.length > 0 && (
        <Card className="divide-y divide-line">
          {groups.map((group) => (
            <Group
              key={`${group.name} ${isNarrowed}`}
              group={group}
              all={settings}
              etag={etag}
              startsOpen={isNarrowed}
            />
          ))}
        </Card>
      )}
    </Section>
  );
}

interface GroupProps {
  group: SettingGroup;
  all: readonly Setting[];
  etag: string;
  startsOpen: boolean;
}

function Group({ group: { name, settings }, all, etag, startsOpen }: GroupProps) {
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
        {editedTogether(settings).map((shown) => {
          const section = shown[0]?.section;
          const whole = section === undefined ? shown : all.filter((each) => each.section === section);
          return <SettingRow key={section ?? shown[0]?.key} shown={shown} settings={whole} etag={etag} />;
        })}
      </dl>
    </details>
  );
}
