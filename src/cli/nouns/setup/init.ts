import { command } from "../../command.ts";
import { startCommand } from "../../http/connection.ts";
import { oneLine } from "../../text/plain-text.ts";

export const commands = {
  init: command(
    {
      summary: "Set up Guildhall: workspace, model, budget and a first project",
      detail:
        "On a terminal, detects API keys, local models and agent CLIs, then asks. Press Enter for the default, s to skip the rest, " +
        "Esc or Ctrl-C to cancel. Nothing is created before the last answer. In an existing workspace, asks only for what is missing. " +
        "With --yes or --json, or without a terminal, creates the workspace with defaults and no project.",
      options: { yes: { kind: "flag", short: "y", help: "Use the defaults without asking" } },
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
          ? `Created workspace ${oneLine(answer.path)}\nStart the daemon with: ${startCommand(workspace, host)}`
          : `Workspace ${oneLine(answer.path)} already exists.`,
      );
      return 0;
    },
  ),
};
