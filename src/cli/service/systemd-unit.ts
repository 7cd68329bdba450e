import { type ServicePlan, STOP_SECONDS, WRITTEN_BY } from "./service-plan.ts";

/** Exit codes of wrong usage, a busy workspace, and configuration: starting again would fail again. */
const NO_RESTART = "2 4 7";

/**
 * A user unit. The first signal goes to the daemon alone, which ends its agents in order. Its standard output, which has a
 * link that signs a browser in, is dropped; what goes wrong is on standard error, in the journal.
 */
export function systemdUnit({ workspace, command, path }: ServicePlan): string {
  return `# ${WRITTEN_BY}. Changes are lost when it is run again.
[Unit]
Description=Guildhall (${withoutSpecifiers(workspace)})
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart=${command.map(commandWord).join(" ")}
Environment=${quoted(`PATH=${path}`)}
WorkingDirectory=~
StandardOutput=null
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${NO_RESTART}
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}

[Install]
WantedBy=default.target
`;
}

/** In a command, `$` begins a variable. */
function commandWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : quoted(word).replaceAll("$", "$$$$");
}

function quoted(text: string): string {
  return `"${withoutSpecifiers(text).replace(/[\\"]/g, "\\$&")}"`;
}

/** `%h` and the like stand for something else in a unit. */
function withoutSpecifiers(text: string): string {
  return text.replaceAll("%", "%%");
}
