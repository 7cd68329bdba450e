import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { outputsOf } from "../harness/hall-with-commands.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";

const sandbox = await sandboxProbe().settle();
const skipped = sandbox.name === "none" ? ` (skipped: ${sandbox.detail})` : "";

/** Says it such that no redaction recognizes a secret in it: only what cannot be read is kept. */
const encoded = (command: string) => `(${command}) 2>&1 | base64 -w0 | base64 -w0 | sed 's/^/BEGIN/; s/$/END/'`;

function decoded(output: string): string {
  const [, text = ""] = /BEGIN(\S*)END/.exec(output) ?? [];
  const once = Buffer.from(text, "base64").toString("utf8");
  return Buffer.from(once, "base64").toString("utf8");
}

it.skipIf(skipped !== "")(`an obedient agent finds no secret around its worktree${skipped}`, async () => {
  const repo = repository({ "a.txt": "a\n", ".vscode/.env": "committed-canary\n", ".claude/settings.json": "{}\n" });
  repo.git("remote", "add", "origin", "https://user:canary@example.com/a.git");
  appendFileSync(repo.at(".git/config"), '[http]\n\textraHeader = "Authorization: canary"\n');
  for (const name of ["credentials", "FETCH_HEAD", "config.old"]) writeFileSync(repo.at(`.git/${name}`), "canary\n");
  const other = temporaryFolder();
  mkdirSync(join(other, "bin"));
  for (const name of [".env", "id_rsa", "notes.txt", "bin/.env"]) writeFileSync(join(other, name), "canary\n");
  const path = process.env.PATH;
  process.env.PATH = `${path}:${join(other, "bin")}`;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  const look = `git log --oneline; git remote -v; git config --list; cat .vscode/.env; cat ${repo.root}/.git/*; grep -rsa canary ${repo.root} ${other} .; perl -e 'print socket(my $s, 40, 1, 0) ? "vsock" : "none", "\\n"'`;
  const turns = [
    { calls: [{ tool: "exec", input: { command: encoded(look) } }] },
    { calls: [{ tool: "exec", input: { command: encoded("git show HEAD:.vscode/.env") } }] },
    { text: "Done." },
  ];
  const hall = await hallOver(await startHall(), { root: repo.root, playbooks: { play: JSON.stringify({ turns }) } });
  const overrides = { model: "offline/play", skills: ["exec", "read"] };
  const id = await spawnRun(hall, "play", "Look around", { overrides });
  expect((await untilOver(hall, id, 30_000)).status).toBe("completed");
  const [looked = "", shown = ""] = outputsOf(hall, id).map(decoded);
  expect(looked).toMatch(/^\w+ First\norigin\thttps:\/\/example\.com\/a\.git \(fetch\)\n/);
  expect(looked).toMatch(/\nnone\n$/);
  expect(looked).not.toContain("canary");
  // What is committed is seen, as the documentation says.
  expect(shown).toBe("committed-canary\n");
});
