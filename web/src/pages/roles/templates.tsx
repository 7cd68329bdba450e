import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/states.tsx";
import { RoleFacts } from "./role-facts.tsx";

/** Where a new role begins. */
export function Templates({ onClose }: { onClose: () => void }) {
  const templates = useQuery(queries.roleTemplates());
  const mine = new Set(useQuery(queries.roles()).data?.roles.map(({ id }) => id));
  const navigate = useNavigate();
  const begin = (template?: string) => {
    onClose();
    void navigate({
      to: "/roles/$roleId",
      params: { roleId: "new" },
      search: template === undefined ? {} : { template },
    });
  };
  return (
    <Dialog title="New role" look="wide" onClose={onClose}>
      <Loaded query={templates}>
        {(data) => (
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {data.templates.map(({ id, name, description, baseRole }) => (
              <li key={id} className="flex flex-col gap-2 rounded-lg border border-line p-3">
                <p className="font-medium">
                  <span aria-hidden>{baseRole.emoji} </span>
                  {name} {mine.has(id) && <Badge tone="good">Added</Badge>}
                </p>
                <p className="text-sm text-faint">{description}</p>
                <RoleFacts role={baseRole} />
                <Button size="small" data-row className="self-start" onClick={() => begin(id)}>
                  {mine.has(id) ? `Add another ${name}` : `Use ${name}`}
                </Button>
              </li>
            ))}
            <li className="flex flex-col gap-2 rounded-lg border border-dashed border-line p-3">
              <p className="font-medium">Custom role</p>
              <p className="text-sm text-faint">Start with an empty prompt.</p>
              <Button size="small" data-row className="mt-auto self-start" onClick={() => begin()}>
                Start empty
              </Button>
            </li>
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}
