import { laterDialog } from "../../ui/later.tsx";

export const SpawnDialog = laterDialog(async () => ({
  default: (await import("./spawn/spawn-dialog.tsx")).SpawnDialog,
}));
