import { useState } from "react";
import type { SettingsReport } from "../../../../src/contract/settings-routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { settingGroups, valueText } from "./setting-groups.ts";

/** Every key of config.yml: what counts, and what it is for. */
export function SettingsTable({ settings, secrets }: Pick<SettingsReport, "settings" | "secrets">) {
  const [wanted, setWanted] = useState("");
  const [onlySet, setOnlySet] = useState(false);
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
      {groups.map(({ name, settings: rows }) => (
        <Card key={name}>
          <h3 className="border-b border-line px-4 py-2 text-sm font-semibold">{name}</h3>
          <dl>
            {rows.map(({ key, value, default: usual, set, about }) => (
              <div
                key={key}
                className="grid gap-x-4 border-b border-line px-4 py-2 text-sm last:border-b-0 sm:grid-cols-[16rem_1fr]"
              >
                <dt>
                  <code>{key}</code>
                  <span className="block text-xs text-faint">{about}</span>
                </dt>
                <dd className="flex flex-wrap items-baseline gap-2">
                  <code>{valueText(value)}</code>
                  {set && <Badge tone="info">set</Badge>}
                  {set && valueText(usual) !== valueText(value) && (
                    <span className="text-xs text-faint">else {valueText(usual)}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Card>
      ))}
      <p className="text-xs text-faint">
        Keys are looked for in {secrets.map(({ name, set }) => `${name}${set ? " (found)" : ""}`).join(", ")}. They are
        never shown.
      </p>
    </Section>
  );
}
