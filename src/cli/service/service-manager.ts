import { homedir } from "node:os";
import { join } from "node:path";
import type { Host } from "../host.ts";
import { launchdJob, launchdLabel, launchdLog } from "./launchd-job.ts";
import { isOnPath, type ProgramEnd, runProgram } from "./run-program.ts";
import type { ServicePlan } from "./service-plan.ts";
import { systemdUnit } from "./systemd-unit.ts";

/** When a service starts by itself. */
export type Starts = "boot" | "login" | "never";

/** The person's own service manager. None of its functions rejects. */
export interface ServiceManager {
  kind: "systemd" | "launchd";
  /** The file that describes the service, and its text. */
  file: string;
  text: string;
  /** How a person reads what the service logged. */
  logCommand: string;
  /** Why it cannot be used; undefined: it can. */
  trouble: () => Promise<string | undefined>;
  /** Starts what the file describes, again if it runs, and from now on at boot or login. */
  start: () => Promise<ProgramEnd>;
  /** Stops it for good; the file is removed afterwards. */
  stop: () => Promise<ProgramEnd>;
  /** After the file was removed. */
  forget: () => Promise<void>;
  isRunning: () => Promise<boolean>;
  starts: () => Promise<Starts>;
}

/** Undefined: this system has neither systemd nor launchd. */
export function findServiceManager(plan: ServicePlan, host: Host): ServiceManager | undefined {
  if (isOnPath("launchctl", host.env)) return launchd(plan, host);
  return isOnPath("systemctl", host.env) ? systemd(plan, host) : undefined;
}

export function systemd(plan: ServicePlan, { env }: Pick<Host, "env">): ServiceManager {
  const unit = `${plan.name}.service`;
  const run = (...words: string[]) => runProgram("systemctl", ["--user", ...words], env);
  const config = env.XDG_CONFIG_HOME || join(homedir(), ".config");
  const lingers = async () => {
    const { stdout } = await runProgram("loginctl", ["show-user", "--property=Linger", "--value"], env);
    return stdout.trim() === "yes";
  };
  return {
    kind: "systemd",
    file: join(config, "systemd/user", unit),
    text: systemdUnit(plan),
    logCommand: `journalctl --user -u ${plan.name}`,
    trouble: async () => {
      const { ok, problem } = await run("show-environment");
      return ok ? undefined : problem;
    },
    start: async () => {
      const loaded = await inTurn([() => run("daemon-reload"), () => run("enable", unit), () => run("restart", unit)]);
      // Without it, user services end at logout and start at login. Where it is not allowed, the status says so.
      if (loaded.ok) await runProgram("loginctl", ["enable-linger"], env);
      return loaded;
    },
    stop: () => run("disable", "--now", unit),
    forget: async () => void (await run("daemon-reload")),
    isRunning: async () => (await run("is-active", "--quiet", unit)).ok,
    starts: async () => {
      if (!(await run("is-enabled", "--quiet", unit)).ok) return "never";
      return (await lingers()) ? "boot" : "login";
    },
  };
}

const BOOTSTRAP_TRIES = 10;
const BOOTSTRAP_PAUSE_MS = 500;

export function launchd(plan: ServicePlan, { env, time }: Pick<Host, "env" | "time">): ServiceManager {
  const label = launchdLabel(plan);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const service = `${domain}/${label}`;
  const file = join(homedir(), "Library/LaunchAgents", `${label}.plist`);
  const run = (...words: string[]) => runProgram("launchctl", words, env);
  const isLoaded = async () => (await run("print", service)).ok;
  return {
    kind: "launchd",
    file,
    text: launchdJob(plan),
    logCommand: `tail -f ${launchdLog(plan)}`,
    trouble: async () => {
      const { ok, problem } = await run("print", domain);
      return ok ? undefined : problem;
    },
    start: async () => {
      if (await isLoaded()) await run("bootout", service);
      await run("enable", service);
      // It refuses while the service that was just taken out is still stopping.
      let begun = await run("bootstrap", domain, file);
      for (let tries = 1; !begun.ok && tries < BOOTSTRAP_TRIES; tries += 1) {
        await time.pause(BOOTSTRAP_PAUSE_MS);
        begun = await run("bootstrap", domain, file);
      }
      return begun;
    },
    stop: async () => ((await isLoaded()) ? run("bootout", service) : { ok: true, stdout: "", problem: "" }),
    forget: async () => undefined,
    isRunning: async () => /\bstate = running\b/.test((await run("print", service)).stdout),
    starts: async () => "login",
  };
}

async function inTurn(steps: readonly (() => Promise<ProgramEnd>)[]): Promise<ProgramEnd> {
  let end: ProgramEnd = { ok: true, stdout: "", problem: "" };
  for (const step of steps) if (end.ok) end = await step();
  return end;
}
