import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { buildDashboard } from "./dashboard-build.ts";
import { isBuilt, sourceStamp } from "./web-stamp.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const CHECKOUT = {
  "package.json": "{}",
  "package-lock.json": "{}",
  "src/contract/documents/task.ts": "export const a = 1;",
  "web/index.html": "<p>",
  "web/src/main.tsx": "main",
  "web/public/icon.svg": "<svg/>",
  "node_modules/vite/package.json": "{}",
  "scripts/build-web.ts": "",
};

function checkout(changes: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "guildhall-checkout-"));
  folders.push(root);
  for (const [path, text] of Object.entries({ ...CHECKOUT, ...changes })) put(root, path, text);
  return root;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const asBuilt = (root: string) => put(root, "web/dist/.sources", `${sourceStamp(root)}\n`);

describe("whether the dashboard is as new as its sources", () => {
  it("is told by what they hold, not by when they were written", () => {
    const root = checkout();
    expect(isBuilt(root)).toBe(false);
    asBuilt(root);
    expect(isBuilt(root)).toBe(true);
    expect(sourceStamp(checkout())).toBe(sourceStamp(root));
  });

  it.each([
    ["web/src/main.tsx", "other"],
    ["web/src/pages/now/new.tsx", "new"],
    ["web/vite.config.ts", "new"],
    ["web/public/icon.svg", "<svg></svg>"],
    ["src/contract/documents/task.ts", "export const a = 2;"],
    ["package-lock.json", "{ }"],
  ])("ends with a change of %s", (path, text) => {
    const root = checkout();
    asBuilt(root);
    put(root, path, text);
    expect(isBuilt(root)).toBe(false);
  });

  it("does not hang on other files", () => {
    const root = checkout();
    asBuilt(root);
    for (const path of ["web/dist/assets/a.js", "src/server/app.ts", "src/contract/task.test.ts"]) put(root, path, "x");
    expect(isBuilt(root)).toBe(true);
  });
});

describe("building the dashboard", () => {
  it("carries out the script and tells how long it took", async () => {
    const root = checkout({ "scripts/build-web.ts": "process.stdout.write('said');" });
    expect(await buildDashboard(root)?.ended).toEqual({ ms: expect.any(Number) });
  });

  it("tells the first line of what went wrong", async () => {
    const root = checkout({
      "scripts/build-web.ts": "console.error('\\nno such module\\nmore'); process.exitCode = 1;",
    });
    expect(await buildDashboard(root)?.ended).toEqual({ problem: "no such module" });
  });

  it("is not needed when it is built, and not possible where there are no sources or no tool", () => {
    const built = checkout();
    asBuilt(built);
    expect(buildDashboard(built)).toBeUndefined();
    for (const path of ["web/index.html", "node_modules/vite/package.json", "scripts/build-web.ts"]) {
      const root = checkout();
      rmSync(join(root, path));
      expect(buildDashboard(root)).toBeUndefined();
    }
  });
});
