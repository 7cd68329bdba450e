import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Role } from "../../../../src/contract/role.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded, Loading, Trouble } from "../../ui/states.tsx";
import { createOf, type Draft, draftOf, draftProblems, EMPTY, updateOf } from "./role-draft.ts";
import { RoleForm } from "./role-form.tsx";
import { RolePreview } from "./role-preview.tsx";

/** One role: its form beside the prompt that an agent would get. `new` begins one, from a template if the address names it. */
export default function RolePage() {
  const { roleId } = useParams({ from: "/roles/$roleId" });
  return roleId === "new" ? <NewRole /> : <KnownRole key={roleId} roleId={roleId} />;
}

function NewRole() {
  const { template } = useSearch({ strict: false }) as { template?: string };
  const templates = useQuery(queries.roleTemplates());
  if (template !== undefined && templates.data === undefined) return <Loading />;
  const found = templates.data?.templates.find(({ id }) => id === template);
  const draft = found === undefined ? EMPTY : { ...draftOf(found.baseRole), id: "" };
  return <Editor key={template} begin={draft} />;
}

function KnownRole({ roleId }: { roleId: string }) {
  const role = useQuery(queries.role(roleId));
  return (
    <Loaded
      query={role}
      loading={
        <Page title={roleId}>
          <Loading />
        </Page>
      }
    >
      {(data) => <Editor begin={draftOf(data.role)} known={data.role} />}
    </Loaded>
  );
}

function Editor({ begin, known }: { begin: Draft; known?: Role & { etag: string } }) {
  const [draft, setDraft] = useState(begin);
  const [etag, setEtag] = useState(known?.etag);
  const [failure, setFailure] = useState<Failure>();
  const navigate = useNavigate();
  const onFailure = (error: unknown) => setFailure(failureOf(error));
  const create = useAct("createRole", {
    done: "The role is there.",
    onFailure,
    onDone: ({ role }) => void navigate({ to: "/roles/$roleId", params: { roleId: role.id } }),
  });
  const update = useAct("updateRole", {
    done: ({ role }) => `Saved as version ${role.version}.`,
    onFailure,
    onDone: ({ role }) => {
      setEtag(role.etag);
      setFailure(undefined);
    },
  });
  const problems = draftProblems(draft);
  const isChanged = known === undefined || JSON.stringify(draft) !== JSON.stringify(draftOf(known));
  const save = () => {
    if (Object.keys(problems).length > 0) return;
    if (known === undefined) create.mutate({ body: createOf(draft) });
    else update.mutate({ params: { id: known.id }, body: updateOf(draft), ifMatch: etag });
  };
  return (
    <Page
      title={known === undefined ? "New role" : `${known.emoji} ${known.name}`}
      lead={
        <>
          <Link to="/roles" className="hover:underline">
            Roles
          </Link>
          {known !== undefined && ` · ${known.id} · version ${known.version}`}
        </>
      }
      actions={
        <>
          {known !== undefined && <RemoveRole role={known} />}
          <Button kind="primary" busy={create.isPending || update.isPending} disabled={!isChanged} onClick={save}>
            {known === undefined ? "Create" : "Save"}
          </Button>
        </>
      }
    >
      {failure !== undefined && (
        <div className="flex flex-col gap-2">
          <Trouble error={failure} />
          {failure.status === 412 && known !== undefined && (
            <div className="flex gap-2">
              <Button size="small" onClick={() => update.mutate({ params: { id: known.id }, body: updateOf(draft) })}>
                Keep mine
              </Button>
              <Button
                size="small"
                onClick={() => {
                  setDraft(draftOf(known));
                  setEtag(known.etag);
                  setFailure(undefined);
                }}
              >
                Take theirs
              </Button>
            </div>
          )}
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <RoleForm draft={draft} problems={problems} isNew={known === undefined} onChange={setDraft} onSubmit={save} />
        <RolePreview draft={draft} />
      </div>
    </Page>
  );
}

function RemoveRole({ role }: { role: Role }) {
  const navigate = useNavigate();
  const [isSure, setSure] = useState(false);
  const remove = useAct("deleteRole", { done: `${role.name} is gone.`, onDone: () => void navigate({ to: "/roles" }) });
  if (!isSure)
    return (
      <Button kind="danger" onClick={() => setSure(true)}>
        Delete
      </Button>
    );
  return (
    <>
      <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate({ params: { id: role.id } })}>
        Yes, delete it
      </Button>
      <Button onClick={() => setSure(false)}>Keep it</Button>
    </>
  );
}
