import { laterDialog } from "../../ui/later.tsx";

export const NewTaskDialog = laterDialog(async () => ({ default: (await import("./new-task.tsx")).NewTaskDialog }));
export const SpawnDialog = laterDialog(async () => ({ default: (await import("./spawn-dialog.tsx")).SpawnDialog }));
