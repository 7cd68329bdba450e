import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import { Page, Section } from "../../../ui/page.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { AddTrigger, TriggerRows, Triggers } from "./trigger-list.tsx";

/** What starts work without being asked: for all projects, and for each. */
export default function TriggersPage() {
  return (
    <Page
      title="Triggers"
      lead="Start work at set times, on webhooks and when something happens."
      actions={<AddTrigger />}
    >
      <SettingsTabs />
      <Triggers>{(triggers) => groupsOf(triggers).map((group) => <Group key={group.projectId} {...group} />)}</Triggers>
    </Page>
  );
}

interface GroupProps {
  projectId: string;
  triggers: readonly Trigger[];
}

function Group({ projectId, triggers }: GroupProps) {
  if (projectId === "")
    return (
      <Section title="All projects" count={triggers.length}>
        <TriggerRows label="Triggers for all projects" triggers={triggers} />
      </Section>
    );
  return (
    <section aria-label={`Triggers of ${projectId}`} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-sm font-semibold">
        <ProjectName id={projectId} />
      </h2>
      <TriggerRows label={`Triggers of ${projectId}`} triggers={triggers} />
    </section>
  );
}

function groupsOf(triggers: readonly Trigger[]): GroupProps[] {
  const groups = Map.groupBy(triggers, ({ projectId }) => projectId ?? "");
  return [...groups]
    .map(([projectId, of]) => ({ projectId, triggers: of }))
    .sort((left, right) => (left.projectId < right.projectId ? -1 : 1));
}
