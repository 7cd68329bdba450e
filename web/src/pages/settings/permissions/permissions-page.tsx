import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ShownGrant } from "../../../../../src/contract/routes/people/grant-routes.ts";
import type { RouteResponse } from "../../../../../src/contract/routes/routes.ts";
import { queries } from "../../../api/queries.ts";
import { SelectField } from "../../../ui/field.tsx";
import { Card, Page, Section } from "../../../ui/page.tsx";
import { Empty, Loaded, Loading } from "../../../ui/states.tsx";
import { useMore } from "../../run/timeline/more-rows.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { GrantRow } from "./grant-row.tsx";

/** What agents may do without asking, and what they did with it. */
export default function PermissionsPage() {
  const { project } = useSearch({ strict: false });
  const grants = useQuery({
    ...queries.grants({ all: "true", ...(project === undefined ? {} : { project }) }),
    placeholderData: (known: RouteResponse<"listGrants"> | undefined) => known,
  });
  return (
    <Page
      title="Permissions"
      lead="What you allowed agents to do. Tools under “Ask before” of a role ask you before each call."
      actions={<ProjectFilter project={project} />}
    >
      <SettingsTabs />
      <Loaded query={grants} loading={<Loading lines={6} label="Loading permissions" />}>
        {({ grants: all }) => <Grants grants={all} isFiltered={project !== undefined} />}
      </Loaded>
    </Page>
  );
}

function ProjectFilter({ project }: { project: string | undefined }) {
  const projects = useQuery(queries.projects()).data?.projects ?? [];
  const navigate = useNavigate();
  if (projects.length < 2 && project === undefined) return null;
  return (
    <SelectField
      label="Project"
      hideLabel
      value={project ?? ""}
      onChange={({ target }) =>
        void navigate({ to: "/settings/permissions", search: { project: target.value }, replace: true })
      }
    >
      <option value="">All projects</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function Grants({ grants, isFiltered }: { grants: readonly ShownGrant[]; isFiltered: boolean }) {
  const open = grants.filter(({ state }) => state === "open");
  const closed = grants.filter(({ state }) => state !== "open");
  if (grants.length === 0)
    return isFiltered ? (
      <Empty title="No permissions in this project." />
    ) : (
      <Empty title="No permissions yet.">
        When an agent calls a tool listed under “Ask before” of its role, the run waits and you're asked in the inbox.
        What you allow is listed here, with every call that used it.
      </Empty>
    );
  return (
    <>
      <Section title="Open" count={open.length}>
        {open.length === 0 ? (
          <p className="text-sm text-faint">No open permissions. Agents ask before each of these calls.</p>
        ) : (
          <GrantList label="Open permissions" grants={open} />
        )}
      </Section>
      {closed.length > 0 && (
        <Section title="Used, expired and revoked" count={closed.length}>
          <p className="text-sm text-faint">These no longer allow anything.</p>
          <GrantList label="Closed permissions" grants={closed} />
        </Section>
      )}
    </>
  );
}

function GrantList({ label, grants }: { label: string; grants: readonly ShownGrant[] }) {
  const { shown, more } = useMore(grants, "permissions");
  return (
    <>
      <Card>
        <ul aria-label={label} className="divide-y divide-line">
          {shown.map((grant) => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
        </ul>
      </Card>
      {more}
    </>
  );
}
