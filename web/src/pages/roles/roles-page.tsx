import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Role } from "../../../../src/contract/documents/role.ts";
import { queries } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { plural } from "../../ui/figures.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { ImportRole } from "./import-role.tsx";
import { RoleFacts } from "./role-facts.tsx";
import { Templates } from "./templates.tsx";

export default function RolesPage() {
  const roles = useQuery(queries.roles());
  const [dialog, setDialog] = useState<"templates" | "import">();
  const [wanted, setWanted] = useState("");
  const close = () => setDialog(undefined);
  return (
    <Page
      title="Roles"
      lead="A role has a specialty, a prompt, a model and tools. Any project can use any role."
      actions={
        <>
          <Button onClick={() => setDialog("import")}>Import</Button>
          <Button kind="primary" onClick={() => setDialog("templates")}>
            New role
          </Button>
        </>
      }
    >
      <Loaded query={roles}>
        {(data) =>
          data.roles.length === 0 ? (
            <Empty
              title="No roles yet."
              action={
                <Button kind="primary" onClick={() => setDialog("templates")}>
                  Choose a template
                </Button>
              }
            >
              Define a role such as developer or reviewer once and use it in every project.
            </Empty>
          ) : (
            <>
              {data.roles.length > 8 && (
                <TextField
                  label="Search roles"
                  hideLabel
                  placeholder="Search roles"
                  value={wanted}
                  onChange={(event) => setWanted(event.target.value)}
                />
              )}
              <RoleCards roles={data.roles.filter((role) => matches(role, wanted))} />
              {data.invalid.length > 0 && (
                <p className="text-sm text-warn">
                  {plural(data.invalid.length, "role")} can't be read. See Problems in Settings.
                </p>
              )}
            </>
          )
        }
      </Loaded>
      {dialog === "templates" && <Templates onClose={close} />}
      {dialog === "import" && <ImportRole onClose={close} />}
    </Page>
  );
}

function matches({ name, id, specialty, description }: Role, wanted: string): boolean {
  const text = [name, id, description, ...specialty].join(" ").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function RoleCards({ roles }: { roles: readonly Role[] }) {
  if (roles.length === 0) return <Empty title="No roles match this search." />;
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {roles.map((role) => (
        <li
          key={role.id}
          className="relative flex flex-col gap-2 rounded-lg border border-line bg-card p-4 hover:border-edge"
        >
          <div className="flex items-center gap-2">
            <span aria-hidden className="text-xl">
              {role.emoji}
            </span>
            <Link
              data-row
              to="/roles/$roleId"
              params={{ roleId: role.id }}
              className="font-medium after:absolute after:inset-0"
            >
              <bdi>{role.name}</bdi>
            </Link>
          </div>
          <p className="line-clamp-2 text-sm text-faint">{role.description || "No description."}</p>
          <RoleFacts role={role} />
        </li>
      ))}
    </ul>
  );
}
