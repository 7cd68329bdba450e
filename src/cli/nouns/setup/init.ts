import { command } from "../../command.ts";
import { startCommand } from "../../http/connection.ts";
import { oneLine } from "../../text/plain-text.ts";

export const commands = {
  init: command(
    {
      summary: "set up the hall: its workspace, model, budget and a first project",
      detail:
        "At a terminal it looks for keys, local models and programs of agents, and asks: Enter takes the default, s skips the rest, " +
        "Esc or Ctrl-C leaves, and nothing is made before the last answer. Where a workspace is there, it asks only for what is missing. " +
        "With --yes or --json, or where nobody can answer, it makes the workspace with all defaults and no project.",
      options: { yes: { kind: "flag", short: "y", help: "ask nothing and take the defaults" } },
      examples: ["init", "init --yes --workspace ./hall"],
    },
    async ({ yes }, context) => {
      const { workspace, host, output } = context;
      if (yes !== true && !output.json && host.input.canAsk && host.out.isTerminal)
        return (await import("../../setup/set-up.ts")).setUp(context);
      const { initWorkspace } = await host.loadDaemon();
      const answer = await initWorkspace({ workspace });
      output.answer(answer, () =>
        answer.created
          ? `Created the workspace ${oneLine(answer.path)}\nStart the daemon with: ${startCommand(workspace, host)}`
          : `The workspace ${oneLine(answer.path)} is already there.`,
      );
      return 0;
    },
  ),
};
