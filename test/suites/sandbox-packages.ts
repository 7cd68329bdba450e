import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts";
import { commandFolder } from "../harness/command-folder.ts";
import { temporaryFolder } from "../harness/daemon.ts";

function checkoutWith(files: Record<string, string>): string {
  const checkout = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), content);
  }
  return checkout;
}

const INSTALLED = {
  "node_modules/dep/index.js": "module.exports = 'found';\n",
  "node_modules/dep/.env": "KEY=canary\n",
  "packages/web/node_modules/inner/index.js": "module.exports = 'inner';\n",
  ".venv/bin/tool": "#!/bin/sh\necho tool\n",
};

/** What commands see of a folder that is shown although it lies in a hidden one. */
export function shownFolders(sandbox: Sandbox): void {
  it("can be read and run, not written, and show nothing of what is around them", async () => {
    const workspace = checkoutWith({
      "skills/build/run.sh": "echo ran\n",
      "skills/build/.env": "KEY=canary\n",
      "skills/other/run.sh": "canary\n",
      "ROLES.json": "canary\n",
    });
    const shown = join(workspace, "skills/build");
    const { said } = commandFolder(sandbox, {}, { hidden: [workspace], readable: [shown] });
    const text = await said(
      `sh ${shown}/run.sh; echo x > ${shown}/run.sh; cat ${shown}/.env ${workspace}/ROLES.json ${workspace}/skills/other/run.sh; ls ${workspace}/skills 2>/dev/null | grep other && echo seen`,
    );
    expect(text).toMatch(/^ran\n/);
    expect(text).not.toContain("canary");
    expect(readFileSync(join(shown, "run.sh"), "utf8")).toBe("echo ran\n");
    expect(text).not.toContain("seen");
  });
}

/** What commands in a worktree see of the packages that are installed in the checkout. */
export function packages(sandbox: Sandbox): void {
  it("are found where git has none of them, and cannot be changed", async () => {
    const checkout = checkoutWith(INSTALLED);
    const { said, at } = commandFolder(sandbox, { "a.js": "", "packages/web/b.js": "" }, { checkout });
    const text = await said(
      `node -p 'require("dep")'; cd packages/web && node -p 'require("inner")'; cd ../..; sh .venv/bin/tool; sh ${checkout}/.venv/bin/tool; cat node_modules/dep/.env; echo x > node_modules/dep/index.js; echo x > node_modules/new; ls ${checkout}/node_modules`,
    );
    expect(text).toMatch(/^found\ninner\ntool\ntool\n/);
    expect(text).not.toContain("canary");
    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    expect(text).toMatch(/No such file or directory$/);
    expect(readdirSync(at("node_modules"))).toEqual([]);
    expect(existsSync(join(checkout, "node_modules/new"))).toBe(false);
  });

  it("are not found where they are links, where the worktree has its own, or where commands can install them", async () => {
    const elsewhere = checkoutWith(INSTALLED);
    const linked = temporaryFolder();
    symlinkSync(join(elsewhere, "node_modules"), join(linked, "node_modules"));
    expect(await commandFolder(sandbox, {}, { checkout: linked }).said("ls node_modules")).toContain("No such file");
    const own = commandFolder(sandbox, { "node_modules/own.js": "" }, { checkout: elsewhere });
    expect(await own.said("ls node_modules; echo x > node_modules/new && echo wrote")).toBe("own.js\nwrote");
    const online = commandFolder(sandbox, {}, { checkout: elsewhere, network: true });
    expect(await online.said("ls node_modules")).toContain("No such file");
  });
}
