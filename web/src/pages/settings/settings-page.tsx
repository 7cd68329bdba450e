import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { signOut } from "../../shell/sign-in.ts";
import { chooseTheme, type Theme, useTheme } from "../../shell/theme.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Page, Section } from "../../ui/page.tsx";
import { ProblemList } from "../../ui/problem-list.tsx";
import { Loaded } from "../../ui/states.tsx";
import { tellFailure } from "../../ui/toasts.tsx";
import { Devices } from "./devices.tsx";
import { Doctor } from "./doctor.tsx";
import { NotificationSwitch } from "./notification-switch.tsx";
import { Providers } from "./providers.tsx";
import { RestartNotice } from "./restart.tsx";
import { SettingsTable } from "./settings-table.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

/** Keys and models, every setting, file locations and health. */
export default function SettingsPage() {
  const settings = useQuery(queries.settings());
  return (
    <Page title="Settings" lead="Settings are stored in config.yml. Some take effect after a restart.">
      <SettingsTabs />
      {settings.data?.needsRestart && <RestartNotice />}
      <Providers />
      <Doctor />
      <Problems />
      <Loaded query={settings}>
        {(data) => (
          <>
            <SettingsTable settings={data.settings} etag={data.etag} />
            <Paths paths={data.paths} />
          </>
        )}
      </Loaded>
      <Devices />
      <NotificationSwitch />
      <ThisBrowser />
    </Page>
  );
}

/** Files to mend, while there are some; of runs that stand still the doctor tells. */
function Problems() {
  const all = useQuery(queries.problems()).data?.problems ?? [];
  const problems = all.filter(({ kind }) => kind !== "run");
  if (problems.length === 0) return null;
  return (
    <Section title="Problems" count={problems.length}>
      <ProblemList problems={problems} />
    </Section>
  );
}

const pathWords: readonly (readonly [string, string])[] = [
  ["workspace", "Workspace"],
  ["config", "Settings"],
  ["secrets", "Keys"],
  ["token", "Token"],
  ["events", "Event log"],
  ["costs", "Costs"],
  ["index", "Index"],
];

function Paths({ paths }: { paths: Record<string, string> }) {
  return (
    <Section title="File locations">
      <dl className="grid gap-x-4 gap-y-1 rounded-lg border border-line bg-card p-4 text-sm sm:grid-cols-[8rem_1fr]">
        {pathWords.map(([key, word]) => (
          <div key={key} className="contents">
            <dt className="text-faint">{word}</dt>
            <dd className="font-mono text-xs leading-5 max-sm:mb-2">{paths[key]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** What belongs to this browser only, and which daemon it speaks with. */
function ThisBrowser() {
  const theme = useTheme();
  const { data: status } = useQuery(queries.status());
  return (
    <Section title="This browser">
      <Card className="flex flex-wrap items-end gap-4 p-4">
        <SelectField label="Theme" value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </SelectField>
        <Button onClick={() => void signOut().catch(tellFailure)}>Sign out</Button>
        {status !== undefined && (
          <p className="ml-auto text-xs text-faint">
            Guildhall {status.version}, up since <Ago at={status.startedAt} />, {status.memoryMb} MB, process{" "}
            {status.pid}
          </p>
        )}
      </Card>
    </Section>
  );
}
