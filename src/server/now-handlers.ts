import type { Now } from "../contract/now.ts";
import type { RolePreview, RolePreviewed } from "../contract/role-preview-routes.ts";
import type { HealthCheck, SettingsReport } from "../contract/settings-routes.ts";
import type { Hall } from "../workspace/hall.ts";
import type { HandlersOf } from "./handlers.ts";

/** What the server needs for pages that show the hall at a glance. */
export interface NowPort {
  now(): Promise<Now>;
  examination: {
    settings(): Promise<SettingsReport>;
    doctor(): Promise<{ checks: HealthCheck[] }>;
  };
  previewRole(body: RolePreview): Promise<RolePreviewed>;
}

export const nowHandlers = (
  desk: NowPort,
  hall: Hall,
): HandlersOf<"getNow" | "listCards" | "previewRole" | "listFolders" | "getSettings" | "getDoctor"> => ({
  getNow: () => desk.now(),
  previewRole: ({ body }) => desk.previewRole(body),
  listFolders: ({ query }) => hall.folders(query),
  getSettings: () => desk.examination.settings(),
  getDoctor: () => desk.examination.doctor(),
  listCards: ({ params }) => hall.tasks.cards(params.id),
});
