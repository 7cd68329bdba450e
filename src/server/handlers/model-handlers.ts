import type {
  KeyAnswer,
  KeyUpdate,
  ModelsReport,
  ProviderModels,
  ProviderTest,
} from "../../contract/routes/model-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of models. */
export interface ModelPort {
  models: {
    report(): Promise<ModelsReport>;
    test(model: string | undefined): Promise<RouteResponse<"testModel">>;
  };
  providers: {
    set(name: string, body: KeyUpdate, change: Change): Promise<Omit<KeyAnswer, "success">>;
    remove(name: string, change: Change): Promise<{ provider: string; defaultModel: string }>;
    test(name: string, model: string | undefined): Promise<ProviderTest>;
    list(name: string): Promise<ProviderModels>;
  };
}

export const modelHandlers = ({
  models,
  providers,
}: ModelPort): HandlersOf<
  "listModels" | "testModel" | "setProviderKey" | "removeProviderKey" | "testProvider" | "listProviderModels"
> => ({
  listModels: () => models.report(),
  testModel: ({ body }) => models.test(body.model),
  setProviderKey: async ({ params, body, change }) => ({
    success: true,
    ...(await providers.set(params.name, body, change)),
  }),
  removeProviderKey: async ({ params, change }) => ({
    success: true,
    ...(await providers.remove(params.name, change)),
  }),
  testProvider: async ({ params: { name }, body }) => ({
    provider: name,
    test: await providers.test(name, body.model),
  }),
  listProviderModels: ({ params }) => providers.list(params.name),
});
