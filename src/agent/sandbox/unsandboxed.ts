import { homedir } from "node:os";
import { innerEnvironment, innerScript, type Sandbox } from "./sandbox.ts";

/** No sandbox at all, for those who asked for it: limits and a clean environment, and nothing that keeps a command in. */
export const unsandboxed: Sandbox = {
  name: "none",
  invoke: ({ command, workdir, policy, keepsErrors }) => ({
    program: "sh",
    args: ["-c", innerScript(policy, { countsOwnProcesses: false, keepsErrors }), "sh", command],
    env: innerEnvironment(process.env.PATH ?? "/usr/bin:/bin", homedir(), policy),
    cwd: workdir,
  }),
};
