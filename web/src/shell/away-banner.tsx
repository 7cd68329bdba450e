import { hallCommand } from "../api/hall-command.ts";
import { connection } from "../live/connection.ts";
import { useLiveState } from "../live/use-live.ts";
import { Button } from "../ui/button.tsx";

export function AwayBanner() {
  const state = useLiveState();
  return (
    <div role="status">
      {state === "away" && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-2 text-sm text-warn">
          <strong className="font-semibold">Disconnected.</strong>
          <span className="text-ink">
            Showing the last known state; reconnecting… To start the daemon, run{" "}
            <code className="wrap-anywhere">{hallCommand("up")}</code>.
          </span>
          <Button size="small" onClick={() => connection.retry()}>
            Retry now
          </Button>
        </div>
      )}
    </div>
  );
}
