import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { ProtectedSearch } from "./protected-places.ts";

function folderWith(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Everything lies long back. */
const LATER = () => Date.now() + 60_000;

describe("the search for what is protected", () => {
  it("does not wait for a pipe, nor read a file of any size, that a command leaves under the name of a key", () => {
    const root = folderWith({ "node_modules/x/large.pem": "", "refs/heads/main": "" });
    truncateSync(join(root, "node_modules/x/large.pem"), 1_500_000_000);
    for (const path of ["node_modules/x/own.pem", "refs/heads/id_rsa"]) execFileSync("mkfifo", [join(root, path)]);
    const search = `import { ProtectedSearch } from ${JSON.stringify(new URL("./protected-places.ts", import.meta.url).href)};
      const found = new ProtectedSearch(${JSON.stringify(root)}, { now: Date.now }).find();
      console.log(JSON.stringify([found.secrets.sort(), process.resourceUsage().maxRSS < 1_000_000]));`;
    // In a process of its own: one that waits for a pipe cannot be told to stop.
    const out = execFileSync(process.execPath, ["--input-type=module", "--eval", search], { timeout: 20_000 });
    expect(JSON.parse(out.toString())).toEqual([
      ["node_modules/x/large.pem", "node_modules/x/own.pem", "refs/heads/id_rsa"],
      true,
    ]);
  });

  it("finds secrets and controls however deep, also in others' programs, but not the certificates they trust", () => {
    const root = folderWith({
      ".env": "",
      "a/b/c/d/.env.local": "",
      "node_modules/x/.env": "",
      ".venv/lib/certifi/cacert.pem": "-----BEGIN CERTIFICATE-----",
      ".venv/lib/own.pem": "-----BEGIN PRIVATE KEY-----",
      "certs/server.pem": "-----BEGIN CERTIFICATE-----",
      "sub/.git/config": "",
      "plain.txt": "",
    });
    symlinkSync("plain.txt", join(root, "id_rsa"));
    const found = new ProtectedSearch(root, { now: LATER }).find();
    expect(found?.secrets.sort()).toEqual([
      ".env",
      ".venv/lib/own.pem",
      "a/b/c/d/.env.local",
      "certs/server.pem",
      "node_modules/x/.env",
      "plain.txt",
    ]);
    expect(found?.controls).toEqual(["sub/.git"]);
  });

  it("finds again what was made, moved or removed since", () => {
    const root = folderWith({ "app/.env": "", "lib/x.txt": "" });
    const search = new ProtectedSearch(root, { now: LATER });
    expect(search.find()?.secrets).toEqual(["app/.env"]);
    mkdirSync(join(root, "node_modules"));
    renameSync(join(root, "app"), join(root, "node_modules/app"));
    writeFileSync(join(root, "lib/server.key"), "");
    expect(search.find()?.secrets.sort()).toEqual(["lib/server.key", "node_modules/app/.env"]);
  });

  it("finds nothing rather than a part where there are too many folders", () => {
    const root = folderWith({ "z/.env": "", "y/x.txt": "" });
    expect(new ProtectedSearch(root, { now: LATER, most: 3 }).find()?.secrets).toEqual(["z/.env"]);
    expect(new ProtectedSearch(root, { now: LATER, most: 2 }).find()).toBeUndefined();
  });
});
