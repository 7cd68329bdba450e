import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commandFolder } from "../harness/command-folder.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import { inEverySandbox } from "../harness/working-sandboxes.ts";

/** Files in a folder of their own; those in a `bin` or `shims` can be run. */
function folderWith(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    if (/(?:^|\/)(?:bin|shims)\//.test(path)) chmodSync(join(root, path), 0o755);
  }
  return root;
}

/** To the end of the test. */
function withPath(...folders: string[]): void {
  const before = process.env.PATH;
  process.env.PATH = [...folders, before].join(":");
  onTestFinished(() => {
    process.env.PATH = before;
  });
}

const TOOL = '#!/bin/sh\ncat "$(dirname "$0")/../lib/data.txt"\n';
const SECRETS = { ".env": "canary", id_rsa: "canary", "config/prod.json": "canary", "src/main.js": "canary" };

await inEverySandbox((sandbox) => {
  it("shows a project whose bin is on PATH by that bin alone", async () => {
    const project = folderWith({
      ...SECRETS,
      "bin/tool": "#!/bin/sh\necho ran\n",
      "bin/.env": "canary",
      "lib/a.js": "canary",
    });
    withPath(join(project, "bin"));
    const { said } = commandFolder(sandbox);
    const told = await said(`tool; cat ${project}/bin/.env; grep -r canary ${project}; ls -A ${project}`);
    expect(told).toBe("ran\nbin");
  });

  it("shows nothing of a project that is itself on PATH", async () => {
    const project = folderWith({ "package.json": "{}", "notes.txt": "canary", "deep/.env": "canary" });
    withPath(project);
    const { said } = commandFolder(sandbox);
    expect(await said(`cat ${project}/notes.txt; echo $PATH`)).not.toMatch(new RegExp(`canary|${project}:`));
  });

  it("shows a folder deep in a project by itself, though nothing next to it tells of the project", async () => {
    const project = folderWith({ ".git/HEAD": "x", "tools/x/bin/tool": TOOL, "tools/x/lib/data.txt": "canary" });
    withPath(join(project, "tools/x/bin"));
    const { said } = commandFolder(sandbox);
    expect(await said(`tool; ls ${project}/tools/x`)).toMatch(/No such file[^\n]*\nbin$/);
  });

  it("runs toolchains with their libraries, without the secrets and settings next to them", async () => {
    const plain = folderWith({
      "bin/tool": TOOL,
      "lib/data.txt": "plain\n",
      "lib/deep/.env": "canary",
      "lib/vendored/.git/HEAD": "canary",
      "lib/vendored/.git/info/server.key": "canary",
      "lib/vendored/.git/modules/x/config": "canary",
      "lib/vendored/.git/modules/x/HEAD": "canary",
      "lib/vendored/.git/modules/x/objects/y": "canary",
      "lib/certs/own.pem": "-----BEGIN PRIVATE KEY----- canary",
      "etc/settings.xml": "canary",
    });
    const virtual = folderWith({
      ".git/HEAD": "x",
      ".env": "canary",
      ".venv/pyvenv.cfg": "home = /usr/bin\n",
      ".venv/bin/tool2": TOOL,
      ".venv/lib/data.txt": "virtual\n",
    });
    const managed = folderWith({
      "nvm.sh": "",
      ".git/config": "canary",
      "package.json": "{}",
      "versions/node/v1/bin/tool3": TOOL,
      "versions/node/v1/lib/data.txt": "managed\n",
    });
    withPath(join(plain, "bin"), join(virtual, ".venv/bin"), join(managed, "versions/node/v1/bin"));
    const { said } = commandFolder(sandbox);
    const told = await said(`tool; tool2; tool3; grep -rs canary ${plain} ${virtual} ${managed}; ls ${plain}`);
    expect(told).toBe("plain\nvirtual\nmanaged\nbin\nlib");
  });

  it("runs a toolchain that is found through a link", async () => {
    const plain = folderWith({ "v1/bin/tool": TOOL, "v1/lib/data.txt": "linked\n" });
    symlinkSync("v1", join(plain, "current"));
    withPath(join(plain, "current/bin"));
    expect(await commandFolder(sandbox).said("tool")).toBe("linked");
  });
});
