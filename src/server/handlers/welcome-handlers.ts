import type { BegunProject, ProjectBeginning, Welcome } from "../../contract/routes/welcome-routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs for a person who begins. */
export interface WelcomeDesk {
  look(): Promise<Welcome>;
  begin(body: ProjectBeginning, change: Change): Promise<BegunProject>;
}

export const welcomeHandlers = (desk: WelcomeDesk): HandlersOf<"getWelcome" | "beginProject"> => ({
  getWelcome: () => desk.look(),
  beginProject: async ({ body, change }) => ({ success: true, ...(await desk.begin(body, change)) }),
});
