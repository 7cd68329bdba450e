import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandFolder } from "../harness/command-folder.ts";
import { inEverySandbox } from "../harness/working-sandboxes.ts";

const SECRETS = [
  ".claude/.env",
  ".claude/worktrees/feature/.env",
  ".claude/worktrees/feature/app/.env.local",
  ".vscode/.env",
  ".husky/.env",
  ".husky/_/id_ed25519",
  ".idea/deploy.pem",
  ".idea/dataSources/.pgpass",
  ".git/.env",
  ".git/info/server.key",
  ".git/refs/heads/id_rsa",
  "sub/.git/.netrc",
  "TASKS/.env",
];

await inEverySandbox((sandbox) => {
  it("masks env files, keys and credentials inside folders that are protected for another reason", async () => {
    const files = Object.fromEntries(SECRETS.map((path) => [path, "canary"]));
    const plain = { ".claude/settings.json": "{}", ".vscode/tasks.json": "tasks", ".husky/pre-commit": "hook" };
    const { said, run, at } = commandFolder(sandbox, { ...files, ...plain });
    const told = await said(`cat ${SECRETS.join(" ")}; grep -rs canary . ; cat .vscode/tasks.json .husky/pre-commit`);
    expect(told).toBe("taskshook");
    await run(
      `cp -r .claude copy; mv .vscode/.env out; ln .husky/.env out2; echo x > .idea/deploy.pem; rm -rf .claude`,
    );
    expect(await said("grep -rs canary .; echo over")).toBe("over");
    for (const path of SECRETS) expect(readFileSync(at(path), "utf8"), path).toBe("canary");
  });

  it("masks them too when a command has moved them deep into a control folder", async () => {
    const { said, run } = commandFolder(sandbox, { "app/.env": "canary" });
    await run("mkdir -p .idea/objects/ab && mv app .idea/objects/ab/");
    expect(await said("grep -rs canary .; cat .idea/objects/ab/app/.env; echo over")).toBe("over");
  });

  it("masks them in control folders of other folders that commands may read or write", async () => {
    const { above } = commandFolder(sandbox);
    const outside = join(above, "outside");
    for (const kind of ["readable", "writable"] as const) {
      const open = commandFolder(sandbox, {}, { [kind]: [outside] });
      mkdirSync(join(outside, ".vscode"), { recursive: true });
      commandFolder(sandbox, { ".vscode/.env": "canary", ".claude/.env": "canary" }, { workdir: outside });
      expect(await open.said(`cat ${outside}/.vscode/.env ${outside}/.claude/.env; echo over`)).toBe("over");
    }
  });

  it("leaves a branch readable that is called as a key file is", async () => {
    const hash = `${"0123456789".repeat(4)}\n`;
    const { said } = commandFolder(sandbox, { ".git/refs/heads/rotate.key": hash });
    expect(await said("cat .git/refs/heads/rotate.key")).toBe(hash.trim());
  });
});
