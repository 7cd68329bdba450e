import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";

/** What was changed waits for a restart. The page finds the daemon again by itself. */
export function RestartNotice() {
  const restart = useAct("restartDaemon", { done: "Restarting… This page reconnects automatically." });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-72">
        <strong className="font-medium text-warn">Restart needed.</strong> Some changed settings take effect after a
        restart. Running agents continue afterward.
      </p>
      <Button busy={restart.isPending} onClick={() => restart.mutate({})}>
        Restart now
      </Button>
    </div>
  );
}
