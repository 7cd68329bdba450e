import { homedir } from "node:os";
import { join } from "node:path";
import { type ServicePlan, STOP_SECONDS, WRITTEN_BY } from "./service-plan.ts";

/** Seconds before a daemon that failed is started again. */
const RESTART_SECONDS = 10;
/** 077 in octal: its log is for its owner. */
const UMASK = 63;

export function launchdLabel({ name }: ServicePlan): string {
  return `local.${name}`;
}

export function launchdLog({ name }: ServicePlan): string {
  return join(homedir(), "Library/Logs", `${name}.log`);
}

/** A launch agent. As with systemd, standard output has a sign-in link and is dropped. */
export function launchdJob(plan: ServicePlan): string {
  const { command, path } = plan;
  const entries = [
    entry("Label", string(launchdLabel(plan))),
    entry("ProgramArguments", `<array>${command.map(string).join("")}</array>`),
    entry("EnvironmentVariables", `<dict>${entry("PATH", string(path))}</dict>`),
    entry("WorkingDirectory", string(homedir())),
    entry("RunAtLoad", "<true/>"),
    entry("KeepAlive", `<dict>${entry("SuccessfulExit", "<false/>")}</dict>`),
    entry("ThrottleInterval", `<integer>${RESTART_SECONDS}</integer>`),
    entry("ExitTimeOut", `<integer>${STOP_SECONDS}</integer>`),
    entry("Umask", `<integer>${UMASK}</integer>`),
    entry("StandardOutPath", string("/dev/null")),
    entry("StandardErrorPath", string(launchdLog(plan))),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${WRITTEN_BY}. Changes are lost when it is run again. -->
<plist version="1.0">
<dict>
${entries.map((line) => `  ${line}`).join("\n")}
</dict>
</plist>
`;
}

function entry(key: string, value: string): string {
  return `<key>${key}</key>${value}`;
}

function string(text: string): string {
  return `<string>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</string>`;
}
