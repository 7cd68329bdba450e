import type { Now } from "../../contract/now.ts";
import type { RolePreview, RolePreviewed } from "../../contract/routes/role-preview-routes.ts";
import type { HealthCheck, SettingsReport, SettingsUpdate } from "../../contract/routes/settings-routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Daemon, HandlersOf } from "../handler.ts";

/** What the server needs for pages that show the hall at a glance. */
export interface NowPort {
  now(): Promise<Now>;
  examination: {
    settings(): Promise<SettingsReport>;
    updateSettings(update: SettingsUpdate, change: Change): Promise<{ needsRestart: boolean; etag: string }>;
    doctor(): Promise<{ checks: HealthCheck[] }>;
  };
  previewRole(body: RolePreview): Promise<RolePreviewed>;
}

export const nowHandlers = (
  desk: NowPort,
  hall: Hall,
  { port }: Pick<Daemon, "port">,
): HandlersOf<
  | "getNow"
  | "answerReviewOffer"
  | "listCards"
  | "previewRole"
  | "listFolders"
  | "getSettings"
  | "updateSettings"
  | "getDoctor"
> => ({
  getNow: () => desk.now(),
  answerReviewOffer: async ({ body, change }) => ({
    success: true,
    changed: await hall.reviewDefault.answer(body.enable, change),
  }),
  previewRole: ({ body }) => desk.previewRole(body),
  listFolders: ({ query }) => hall.folders(query),
  getSettings: async () => inEffect(await desk.examination.settings(), port),
  updateSettings: async ({ body, change }) => ({
    success: true,
    ...(await desk.examination.updateSettings(body, change)),
  }),
  getDoctor: () => desk.examination.doctor(),
  listCards: ({ params }) => hall.tasks.cards(params.id),
});

/** --port, and the port of the last time, go before what config.yml and the defaults say. */
function inEffect(report: SettingsReport, port: number): SettingsReport {
  const settings = report.settings.map((each) => (each.key === "server.port" ? { ...each, value: port } : each));
  return { ...report, settings };
}
