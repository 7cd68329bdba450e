import type { ModelsReport } from "../../contract/routes/model-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of models. */
export interface ModelPort {
  models: {
    report(): Promise<ModelsReport>;
    test(model: string | undefined): Promise<RouteResponse<"testModel">>;
  };
}

export const modelHandlers = ({ models }: ModelPort): HandlersOf<"listModels" | "testModel"> => ({
  listModels: () => models.report(),
  testModel: ({ body }) => models.test(body.model),
});
