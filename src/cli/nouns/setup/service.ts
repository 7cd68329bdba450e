import { command } from "../../command.ts";

export const commands = {
  "service install": command(
    {
      summary: "Start Guildhall at boot with systemd or launchd",
      detail:
        "Writes a user unit (systemd) or a launch agent (launchd) for this workspace, enables it and starts it now. It runs as you, never " +
        "as root. The service uses the PATH of this shell but not its other variables: save API keys with 'guildhall key set'. " +
        "Run it again to change the port or update the paths.",
      options: {
        port: { kind: "number", value: "PORT", help: "Port to listen on" },
        print: { kind: "flag", help: "Print the unit without installing it" },
      },
      examples: ["service install", "service install --port 4777", "service install --print"],
    },
    async ({ port, print }, context) => {
      const actions = await import("../../service/service-actions.ts");
      return print === true ? actions.printService(port, context) : actions.installService(port, context);
    },
  ),

  "service remove": command(
    {
      summary: "Stop and remove the service",
      detail: "The workspace is not changed.",
      examples: ["service remove"],
    },
    async (_, context) => (await import("../../service/service-actions.ts")).removeService(context),
  ),

  "service status": command(
    {
      summary: "Show the service status",
      examples: ["service status", "service status --json"],
    },
    async (_, context) => (await import("../../service/service-actions.ts")).showService(context),
  ),
};
