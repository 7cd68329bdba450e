import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of briefings and figures. */
export interface BriefingDesk {
  today(): Promise<RouteResponse<"getTodaysBriefing">>;
  get(day: string): Promise<RouteResponse<"getBriefing">>;
  figures(query: RouteQuery<"getFigures">): Promise<RouteResponse<"getFigures">>;
}

export const briefingHandlers = (
  briefings: BriefingDesk,
): HandlersOf<"getTodaysBriefing" | "getBriefing" | "getFigures"> => ({
  getTodaysBriefing: () => briefings.today(),
  getBriefing: ({ params }) => briefings.get(params.day),
  getFigures: ({ query }) => briefings.figures(query),
});
