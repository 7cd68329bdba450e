import type { Hall } from "../../workspace/hall/hall.ts";
import type { HandlersOf } from "../handler.ts";

export const workdirHandlers = ({ workdirs }: Hall): HandlersOf<"getWorkdir" | "confirmWorkdir"> => ({
  getWorkdir: ({ params }) => workdirs.view(params.id),
  confirmWorkdir: async ({ params, body, change }) => ({
    success: true,
    folder: await workdirs.confirm(params.id, body.fingerprint, change),
  }),
});

/** What is said to whoever names a folder: nothing when the request named none. */
export function folderWarnings({ workdirs }: Hall, id: string, { workdir }: { workdir?: string | null | undefined }) {
  const warnings = workdir === undefined || workdir === null ? [] : workdirs.warningsFor(id);
  return warnings.length === 0 ? {} : { warnings };
}
