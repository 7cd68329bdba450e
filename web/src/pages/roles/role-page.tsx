import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Role } from "../../../../src/contract/documents/role.ts";
import { failureOf } from "../../api/failure.ts";
import { under } from "../../api/parting.ts";
import { queries } from "../../api/queries.ts";
import { shownInline, useAct } from "../../api/use-act.ts";
import { useRemoval } from "../../api/use-removal.ts";
import { Button, buttonLook } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Meanwhile } from "../../ui/meanwhile.tsx";
import { Page } from "../../ui/page.tsx";
import { Loaded, Loading, Trouble } from "../../ui/states.tsx";
import { GiveRole } from "./give-role.tsx";
import { createOf, type Draft, draftOf, draftProblems, EMPTY, updateOf } from "./role-draft.ts";
import { RoleForm } from "./role-form.tsx";
import { RolePreview } from "./role-preview.tsx";
import { RoleTeams } from "./role-teams.tsx";

/** One role: its form beside the prompt that an agent would get. `new` begins one, from a template if the address names it. */
export default function RolePage() {
  const { roleId } = useParams({ from: "/roles/$roleId" });
  return roleId === "new" ? <NewRole /> : <KnownRole key={roleId} roleId={roleId} />;
}

function NewRole() {
  const { template } = useSearch({ strict: false });
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

type KnownRoleView = Role & { etag: string };

/** What is not typed over stays live; what is typed is saved only over what it was typed over. */
function useRoleDraft(begin: Draft, known: KnownRoleView | undefined) {
  const [typed, setTyped] = useState<{ draft: Draft; etag: string | undefined }>();
  const draft = typed?.draft ?? begin;
  return {
    draft,
    etag: typed?.etag ?? known?.etag,
    isOvertaken: typed !== undefined && typed.etag !== known?.etag,
    isChanged: known === undefined || JSON.stringify(draft) !== JSON.stringify(draftOf(known)),
    write: (next: Draft) => setTyped({ draft: next, etag: typed === undefined ? known?.etag : typed.etag }),
    takeTheirs: () => setTyped(undefined),
    keepMine: () => setTyped({ draft, etag: known?.etag }),
  };
}

function Editor({ begin, known }: { begin: Draft; known?: KnownRoleView }) {
  const { draft, etag, isOvertaken, isChanged, write, takeTheirs, keepMine } = useRoleDraft(begin, known);
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useId();
  const create = useAct("createRole", {
    done: "Role created.",
    onFailure: shownInline,
    onDone: ({ role }) => void navigate({ to: "/roles/$roleId", params: { roleId: role.id } }),
  });
  const update = useAct("updateRole", {
    done: ({ role }) => `Saved as version ${role.version}.`,
    // It may be refused because somebody was faster: then that is what is shown.
    onFailure: () => void client.invalidateQueries({ queryKey: ["role", known?.id] }),
    onDone: ({ role }) => {
      client.setQueryData(queries.role(role.id).queryKey, { role });
      takeTheirs();
    },
  });
  const problems = draftProblems(draft);
  const save = () => {
    if (Object.keys(problems).length > 0 || isOvertaken) return;
    if (known === undefined) create.mutate({ body: createOf(draft) });
    else update.mutate({ params: { id: known.id }, body: updateOf(draft), ifMatch: etag });
  };
  const failure = create.error ?? update.error;
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
          {known === undefined ? (
            <Link to="/roles" className={buttonLook()}>
              Cancel
            </Link>
          ) : (
            isChanged && <Button onClick={takeTheirs}>Cancel</Button>
          )}
          <Button
            kind="primary"
            busy={create.isPending || update.isPending}
            disabled={!isChanged || isOvertaken}
            type="submit"
            form={form}
          >
            {known === undefined ? "Create" : "Save"}
          </Button>
        </>
      }
    >
      {known !== undefined && <GiveRole roleId={known.id} name={known.name} />}
      {isOvertaken && <Meanwhile what="This role" onTake={takeTheirs} onKeep={keepMine} />}
      {failure !== null && !(failureOf(failure).code === "version_mismatch") && <Trouble error={failure} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <RoleForm
          id={form}
          draft={draft}
          problems={problems}
          isNew={known === undefined}
          onChange={write}
          onSubmit={save}
        />
        <RolePreview draft={draft} />
      </div>
    </Page>
  );
}

function RemoveRole({ role }: { role: Role }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoval("deleteRole", {
    done: `Deleted ${role.name}.`,
    concerns: under("role", role.id),
    leave: () => void navigate({ to: "/roles" }),
  });
  const isOnTeam = remove.error !== null && failureOf(remove.error).code === "role_assigned";
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <Confirm
          title={`Delete ${role.name}?`}
          action="Delete"
          busy={remove.isPending}
          error={isOnTeam ? undefined : remove.error}
          onConfirm={() => remove.mutate({ params: { id: role.id } })}
          onClose={() => setAsking(false)}
        >
          <p>Its past runs are kept. You can't delete a role that's still on a team.</p>
          {isOnTeam && <RoleTeams roleId={role.id} />}
        </Confirm>
      )}
    </>
  );
}
