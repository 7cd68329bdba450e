import type { GrantUse, ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of permissions. */
export interface GrantDesk {
  list(query: RouteQuery<"listGrants">): Promise<ShownGrant[]>;
  get(id: string): Promise<{ grant: ShownGrant; uses: GrantUse[] }>;
  revoke(id: string, change: Change): Promise<ShownGrant>;
  preview(id: string): Promise<RouteResponse<"previewPermission">>;
}

const success = true as const;

export function grantHandlers(
  desk: GrantDesk,
): HandlersOf<"listGrants" | "getGrant" | "revokeGrant" | "previewPermission"> {
  return {
    listGrants: async ({ query }) => ({ grants: await desk.list(query) }),
    getGrant: ({ params: { id } }) => desk.get(id),
    revokeGrant: async ({ params: { id }, change }) => ({ success, grant: await desk.revoke(id, change) }),
    previewPermission: ({ params: { id } }) => desk.preview(id),
  };
}
