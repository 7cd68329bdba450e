import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { toolchainOf } from "./toolchains.ts";

/** What is shown for a folder of PATH, in a home or elsewhere with these files. */
function shown(files: readonly string[], path: string, home = "home"): string[] {
  const root = temporaryFolder();
  for (const file of [...files, `${path}/tool`, `${home}/.profile`]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  return toolchainOf(join(root, path), join(root, home)).map((one) => relative(root, one));
}

it("shows the libraries of a toolchain, and none of its settings", () => {
  const files = ["x/lib/a", "x/share/a", "x/etc/a", "x/conf/a", "x/var/a", "x/README"];
  expect(shown(files, "x/bin")).toEqual(["x/bin", "x/lib", "x/share"]);
});

it.each([
  { name: "Go", files: ["go/VERSION", "go/src/runtime/a", "go/pkg/a"], path: "go/bin", has: ["go/src", "go/pkg"] },
  { name: "Java", files: ["jdk/release", "jdk/lib/modules", "jdk/conf/a"], path: "jdk/bin", has: ["jdk/conf"] },
  { name: "Homebrew", files: ["brew/.git/a", "brew/Cellar/a", "brew/opt/a"], path: "brew/bin", has: ["brew/opt"] },
  {
    name: "a venv",
    files: ["p/package.json", "p/.venv/pyvenv.cfg", "p/.venv/lib/a"],
    path: "p/.venv/bin",
    has: ["p/.venv/lib"],
  },
  {
    name: "pyenv",
    files: ["pyenv/.git/a", "pyenv/libexec/pyenv", "pyenv/versions/a"],
    path: "pyenv/shims",
    has: ["pyenv/versions"],
  },
  {
    name: "Node of nvm",
    files: ["nvm/nvm.sh", "nvm/.git/a", "nvm/v/n/lib/a"],
    path: "nvm/v/n/bin",
    has: ["nvm/v/n/lib"],
  },
  {
    name: "gems",
    files: ["home/.gem/ruby/3/gems/a", "home/.gem/ruby/3/specifications/a"],
    path: "home/.gem/ruby/3/bin",
    has: ["home/.gem/ruby/3/gems"],
  },
])("shows what $name needs", ({ files, path, has }) => {
  expect(shown(files, path)).toEqual(expect.arrayContaining([path, ...has]));
});

it("shows a manager's folder in a home whole, and of other folders there the programs alone", () => {
  expect(shown([], "home/.pyenv/shims")).toEqual(["home/.pyenv"]);
  expect(shown(["home/.cargo/credentials.toml", "home/.cargo/lib/a"], "home/.cargo/bin")).toEqual(["home/.cargo/bin"]);
  expect(shown(["home/.local/share/keyrings/a", "home/.local/lib/a"], "home/.local/bin")).toEqual(["home/.local/bin"]);
  expect(shown(["home/lib/a"], "home/bin")).toEqual(["home/bin"]);
});

it.each([".git/HEAD", ".env", ".envrc", "package.json", "id_rsa", "Makefile", "docker-compose.yml"])(
  "shows of a folder with %s no more than its programs",
  (sign) => {
    expect(shown([`app/${sign}`, "app/lib/a"], "app/bin")).toEqual(["app/bin"]);
    expect(shown([`app/${sign}`, "app/tools/lib/a"], "app/tools/bin")).toEqual(["app/tools/bin"]);
    expect(shown([`app/${sign}`], "app")).toEqual([]);
    expect(shown([`app/${sign}`], "app/scripts")).toEqual(["app/scripts"]);
  },
);
