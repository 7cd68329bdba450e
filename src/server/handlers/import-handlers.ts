import type { ImportReport, ImportRequest } from "../../contract/documents/autonomy/import.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of imports. */
export interface ImportDesk {
  import(body: ImportRequest, change: Change): Promise<ImportReport>;
}

export const importHandlers = (imports: ImportDesk): HandlersOf<"importFolder"> => ({
  importFolder: async ({ body, change }) => ({ success: true, report: await imports.import(body, change) }),
});
