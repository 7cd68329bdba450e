import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";

const sandbox = await sandboxProbe().settle();

/** What a command leaves in its worktree for whoever runs git there afterwards. */
const TRAPS = `
cat > trap.sh <<END
#!/bin/sh
touch CANARY
cat
END
chmod +x trap.sh
mkfifo pipe
printf '* filter=x diff=x\\n' > .gitattributes
printf '[submodule "x"]\\npath = ../../..\\nurl = ext::./trap.sh\\nupdate = !./trap.sh\\n' > .gitmodules
git init -q lib && cd lib
printf 'f\\n' > f && git add f && git -c user.name=a -c user.email=a@b commit -qm f
for key in core.fsmonitor core.sshCommand diff.external filter.x.clean filter.x.smudge filter.x.process; do
  git config $key "$PWD/../trap.sh"
done
git config core.hooksPath "$PWD/.."
printf '* filter=x\\n' > .gitattributes
touch -d 2001-01-01 f
cd .. && rm -rf .git && git init -q . 2>/dev/null && git config filter.x.clean "$PWD/trap.sh"
printf 'n\\n' > -n
ls -A
`;

it("has nothing run by the daemon that a command has set up in its worktree", async () => {
  const canary = join(temporaryFolder(), "ran");
  const repo = repository({ "a.txt": "a\n" });
  const command = TRAPS.replace("CANARY", canary);
  const turns = [{ calls: [{ tool: "exec", input: { command } }] }, { text: "Done." }];
  const hall = await hallOver(await startHall(), {
    root: repo.root,
    config: { sandbox: { unsandboxed: true } },
    playbooks: { play: JSON.stringify({ turns }) },
  });
  const overrides = { model: "offline/play", skills: ["exec", "read"] };
  const id = await spawnRun(hall, "play", "Set traps", { overrides });
  const run = await untilOver(hall, id, 30_000);
  const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
  expect(run.delivery).toMatchObject({ state: "review", reasonCode: "control-files" });
  expect((await hall.call("POST", `/api/runs/${id}/approve`, { hash })).status).toBe(200);
  expect(repo.git("ls-tree", "-r", "--name-only", "main").split("\n")).toEqual(
    ["-n", ".gitattributes", ".gitmodules", "a.txt", "lib/.gitattributes", "lib/f", "trap.sh"].sort(),
  );
  expect([repo.text("lib/f"), repo.text("-n")]).toEqual(["f\n", "n\n"]);
  expect(existsSync(canary)).toBe(false);
  const told = [{ severity: "warning", reason: expect.stringContaining("git filter 'x' is not run") }];
  expect((await hall.call("GET", "/api/problems")).body.problems).toMatchObject(told);
});

it.skipIf(sandbox.name === "none")(
  `finds the packages that are installed in the checkout, which git does not keep${sandbox.name === "none" ? ` (skipped: ${sandbox.detail})` : ""}`,
  async () => {
    const repo = repository({ "a.txt": "a\n", ".gitignore": "node_modules/\n" });
    repo.write("node_modules/dep/index.js", "module.exports = 'installed';\n");
    const command = `node -p 'require("dep")' > a.txt`;
    const turns = [{ calls: [{ tool: "exec", input: { command } }] }, { text: "Done." }];
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks: { play: JSON.stringify({ turns }) } });
    const overrides = { model: "offline/play", skills: ["exec"] };
    const run = await untilOver(hall, await spawnRun(hall, "play", "Use it", { overrides }), 30_000);
    expect(run.delivery).toMatchObject({ state: "delivered", files: 1 });
    expect(repo.text("a.txt")).toBe("installed\n");
    expect(repo.git("status", "--short")).toBe("");
  },
);
