import { startCommand } from "../connection.ts";
import type { Action } from "../context.ts";
import { oneLine } from "../plain-text.ts";

export const init: Action<"init"> = async ({ yes }, context) => {
  const { workspace, host, output } = context;
  if (yes !== true && !output.json && host.canAsk && host.out.isTerminal)
    return (await import("../setup/set-up.ts")).setUp(context);
  const { initWorkspace } = await host.loadDaemon();
  const answer = await initWorkspace({ workspace });
  output.answer(answer, () =>
    answer.created
      ? `Created the workspace ${oneLine(answer.path)}\nStart the daemon with: ${startCommand(workspace, host)}`
      : `The workspace ${oneLine(answer.path)} is already there.`,
  );
  return 0;
};
