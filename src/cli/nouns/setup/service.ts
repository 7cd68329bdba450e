import { command } from "../../command.ts";

export const commands = {
  "service install": command(
    {
      summary: "start Guildhall at boot, as a service of systemd or launchd",
      detail:
        "Writes a user unit (systemd) or a launch agent (launchd) for this workspace, enables it and starts it now. It runs as you, never " +
        "as root. The service uses the PATH of this shell but not its other variables: save API keys with 'guildhall key set'. " +
        "Run it again to change the port or to update the paths.",
      options: {
        port: { kind: "number", value: "PORT", help: "listen on this port" },
        print: { kind: "flag", help: "print the unit; install nothing" },
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
      summary: "stop the service and remove it",
      detail: "The workspace stays as it is.",
      examples: ["service remove"],
    },
    async (_, context) => (await import("../../service/service-actions.ts")).removeService(context),
  ),

  "service status": command(
    {
      summary: "show whether the service is installed and running",
      examples: ["service status", "service status --json"],
    },
    async (_, context) => (await import("../../service/service-actions.ts")).showService(context),
  ),
};
