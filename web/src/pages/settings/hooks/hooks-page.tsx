import { useQuery } from "@tanstack/react-query";
import type { Hook } from "../../../../../src/contract/documents/hook.ts";
import { queries } from "../../../api/queries.ts";
import { Card, Page, Section } from "../../../ui/page.tsx";
import { Loaded, Loading } from "../../../ui/states.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { AddHook } from "./add-hook.tsx";
import { HookRow } from "./hook-row.tsx";
import { EVENT_WORDS } from "./hook-words.ts";

/** Checks that run at fixed moments: built-in ones and the person's own. */
export default function HooksPage() {
  const hooks = useQuery(queries.hooks());
  return (
    <Page
      title="Hooks"
      lead="Checks that run when agents work. Changes take effect at once, also for runs in progress."
    >
      <SettingsTabs />
      <Loaded query={hooks} loading={<Loading lines={8} label="Loading hooks" />}>
        {({ hooks: all }) => (
          <>
            {all.length === 0 && <p className="text-sm text-faint">No hooks yet.</p>}
            {Object.entries(EVENT_WORDS).map(([event, words]) => (
              <EventHooks key={event} event={event} words={words} hooks={all.filter((hook) => hook.event === event)} />
            ))}
          </>
        )}
      </Loaded>
      <AddHook />
    </Page>
  );
}

function EventHooks({ event, words, hooks }: { event: string; words: string; hooks: readonly Hook[] }) {
  if (hooks.length === 0) return null;
  return (
    <Section title={event} count={hooks.length}>
      <p className="text-sm text-faint">{words}</p>
      <Card>
        <ul aria-label={`${event} hooks`} className="divide-y divide-line">
          {hooks.map((hook) => (
            <HookRow key={hook.name} hook={hook} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}
