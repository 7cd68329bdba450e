import { dirname } from "node:path";
import { quoted } from "../../../agent/sandbox/sandbox.ts";
import { type BaseTree, type Installed, inFolder, NO_SELECTION, type Plan } from "./plan.ts";

/** Nothing is fetched, and what is built goes to the sandbox's own folder. */
const GO = {
  GOFLAGS: "-buildvcs=false",
  GOPROXY: "off",
  GOTOOLCHAIN: "local",
  GOCACHE: "/tmp/go-build",
  GOTELEMETRY: "off",
};

export async function goPlans(base: BaseTree, installed: Installed, folder: string): Promise<Plan[]> {
  const from = inFolder(folder, "go.mod");
  const text = (await base.text(from)) ?? "";
  const module = /^module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "";
  const uses = new Set([...text.matchAll(/^\s*(?:require\s+)?([\w./-]+)\s+v\d/gm)].map(([, used = ""]) => used));
  const program = installed.program("go");
  const modules = process.env.GOMODCACHE ?? `${process.env.GOPATH ?? `${installed.home}/go`}/pkg/mod`;
  const common = {
    language: "go" as const,
    folder,
    from,
    ...(program === undefined ? { missing: "Go is not installed." } : {}),
    covers: /\.go$|(?:^|\/)go\.(?:mod|sum)$/,
    unit: { name: module, uses },
    witnesses: program === undefined ? [] : [program],
    readable: [modules],
    env: { ...GO, GOMODCACHE: modules },
  };
  const hasTests = [...base.paths].some(
    (path) => path.startsWith(folder === "" ? "" : `${folder}/`) && path.endsWith("_test.go"),
  );
  const vet: Plan = {
    ...common,
    check: "syntax",
    tool: "go vet",
    command: "go vet ./...",
    format: { of: "errors", by: "go-vet" },
    build: () => ({ command: "go vet ./...", scope: "full" }),
  };
  const test: Plan = {
    ...common,
    check: "tests",
    tool: "go test",
    command: "go test -json ./...",
    format: { of: "tests", by: "go-json", in: "output", module },
    build: ({ only, scope }) => {
      if (only === undefined)
        return {
          command: "go test -json ./...",
          scope: "full",
          ...(scope === "affected" ? { fallback: NO_SELECTION("go test") } : {}),
        };
      const packages = [...new Set(only.map((path) => quoted(`./${dirname(path)}`)))];
      return { command: `go test -json -count=1 ${packages.join(" ")}`, scope: "affected" };
    },
  };
  return hasTests ? [vet, test] : [vet];
}

export async function rustPlans(_base: BaseTree, installed: Installed, folder: string): Promise<Plan[]> {
  const from = inFolder(folder, "Cargo.toml");
  const program = installed.program("cargo");
  const { home } = installed;
  const cargo = process.env.CARGO_HOME ?? `${home}/.cargo`;
  const rustup = process.env.RUSTUP_HOME ?? `${home}/.rustup`;
  const common = {
    language: "rust" as const,
    folder,
    from,
    ...(program === undefined ? { missing: "Cargo is not installed." } : {}),
    covers: /\.rs$|(?:^|\/)Cargo\.(?:toml|lock)$/,
    witnesses: program === undefined ? [] : [program],
    // Not all of Cargo's folder: it may hold credentials.
    readable: [`${cargo}/registry`, `${cargo}/git`, rustup],
    env: { CARGO_HOME: "/tmp/cargo", RUSTUP_HOME: rustup, CARGO_NET_OFFLINE: "true", CARGO_TERM_COLOR: "never" },
  };
  const linked = ["registry", "git"].map((name) => `ln -s ${quoted(`${cargo}/${name}`)} /tmp/cargo/${name}`);
  const prepare = ["mkdir -p /tmp/cargo", ...linked, ""].join("; ");
  const check: Plan = {
    ...common,
    check: "syntax",
    tool: "cargo check",
    command: "cargo check --all-targets",
    format: { of: "errors", by: "cargo" },
    build: () => ({
      command: `${prepare}cargo check --offline --workspace --all-targets --message-format=json`,
      scope: "full",
    }),
  };
  const test: Plan = {
    ...common,
    check: "tests",
    tool: "cargo test",
    command: "cargo test",
    format: { of: "tests", by: "cargo", in: "output" },
    build: ({ scope, only }) => ({
      command: `${prepare}cargo test --offline --workspace --no-fail-fast --message-format=json`,
      scope: "full",
      ...(scope === "affected" || only !== undefined ? { fallback: NO_SELECTION("cargo test") } : {}),
    }),
  };
  return [check, test];
}
