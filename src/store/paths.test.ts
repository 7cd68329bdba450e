import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import { checkPath, type PathUse } from "./paths.ts";

const TARGETS = ["etc/passwd", "root/.ssh/id_rsa", "proc/self/environ", "home/user/.env"];

const climbing = TARGETS.flatMap((target) =>
  [1, 2, 3, 8].flatMap((depth) => [
    `${"../".repeat(depth)}${target}`,
    `${"./../".repeat(depth)}${target}`,
    `${".././".repeat(depth)}${target}`,
    `${"..\\".repeat(depth)}${target.replaceAll("/", "\\")}`,
  ]),
);
const absolute = TARGETS.flatMap((target) => [`/${target}`, `///${target}`, `file:///${target}`, `FILE:///${target}`]);

const refused: Record<string, string[]> = {
  climbing,
  absolute,
  "climbing in disguise": [
    ...["%2e%2e%2f", "%2e%2e/", "..%2f", "%2e%2e%5c", "..%5c", "%252e%252e%252f", "..%252f", "%2E%2E%2F"],
    ...["%c0%ae%c0%ae/", "%c0%ae%c0%ae%c0%af", "..%c0%af", "..%c1%9c", "%uff0e%uff0e/", "..%25%32%66"],
    ...["..%00/", "..%0d/", "..;/", "..%09/", "%2e%2e%2f%2e%2e%2f", ".. /", "..\t/"],
  ].map((climb) => `${climb}etc/passwd`),
  "climbing in look-alikes": [
    ...["．．/etc/passwd", "..∕etc∕passwd", "..／etc／passwd", "..⧵etc", "\ufeff../etc/passwd", "‥/etc/passwd"],
    ...["a／b", "a＼b", "a⁄b", "a⧸b"],
  ],
  "with control characters": [
    "ok.txt\0.png",
    "a/\0/b",
    "notes.md\0",
    "a\rb",
    "a\nb",
    "a\tb",
    "\x7f",
    "a\x85b",
    "a\u2028b",
  ],
  "that would be expanded": [
    "~",
    "~/x",
    "~root/.bashrc",
    "$HOME/.ssh/id_rsa",
    "$".concat("{HOME}/x"),
    "%USERPROFILE%\\x",
    "$(pwd)/../x",
  ],
  "of Windows": [
    ...["C:relative.txt", "C:\\x", "\\\\server\\share\\x", "\\\\.\\PhysicalDrive0", "file.txt::$DATA", "a.txt:stream"],
    ...[
      "nul.txt",
      "COM1",
      "sub/con",
      "aux.tar.gz",
      "lpt9.md",
      "PRN",
      "a.txt ",
      "a.txt.",
      "a./b",
      'a"b',
      "a<b",
      "a|b",
      "a?b",
      "a*b",
    ],
  ],
  "of devices": [
    ...["/dev/zero", "/dev/tty", "/dev/stdin", "/dev/tcp/127.0.0.1/80", "/proc/self/cwd/../../etc/passwd"],
    "/proc/self/fd/0",
  ],
  "that name the folder itself": ["", ".", "./", "./.", "/", "//", "../", "..", "a/..", "a/../", "   "],
  "to a sibling with the same beginning": ["../proj-evil/x", "/workspace/projects/proj-evil/x"],
  "of secrets": [
    ...[
      ".env",
      ".env.local",
      ".env.",
      "sub/.env",
      "sub/../.env",
      ".envrc",
      ".ENV",
      ".netrc",
      ".aws/credentials",
      "id_rsa",
    ],
    ...[
      "deep/id_ed25519",
      "key.p12",
      "server.pem",
      "tls.KEY",
      ".kube/config",
      ".ssh/config",
      ".npmrc",
      ".git-credentials",
    ],
  ],
  "with invisible turns": ["a\u202etxt.exe", "a\u2066b", "a\ufeffb", "\ud800"],
  "that are too long": [
    `${"a/".repeat(2_000)}x`,
    "b".repeat(256),
    "日".repeat(86),
    `${"a/".repeat(41)}x`,
    "c".repeat(1_025),
  ],
};

const notWritten = [
  ...[".git", ".git/hooks/post-checkout", "sub/.git/config", ".GIT/config", ".gitmodules", ".gitattributes"],
  ...[
    "ROLES.json",
    "roles.json",
    "PROJECT.md/../ROLES.json",
    "PROJECT.json",
    "PROJECT.md",
    "config.yml",
    "audit.jsonl",
  ],
  ...[
    "sessions/a.jsonl",
    "session/current.jsonl",
    "events/2026-01-01.jsonl",
    ".claude/settings.json",
    ".husky/pre-commit",
  ],
  ...[".guildhall/token", ".vscode/tasks.json"],
];

const accepted = [
  ...[
    "..foo",
    "a..b/c",
    ".../x",
    "a/...b",
    ".github/workflows/ci.yml",
    "environment.ts",
    "env/readme.md",
    ".environment",
  ],
  ...[
    "src/index.ts",
    "docs/日本語.md",
    "with space/a b.md",
    "a%20b.md",
    "100%.md",
    "semi;colon.md",
    "-dash.md",
    "#hash.md",
  ],
  ...[
    "(paren).md",
    "{brace}.md",
    "a~b",
    "a$b",
    "console.ts",
    "nullable.md",
    "community.md",
    "keys.md",
    "日".repeat(85),
  ],
  ...["a".repeat(255), "🚀/🧪.md", "e\u0301.md"],
];

const rejections = Object.entries(refused).flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const));

describe("a path from outside", () => {
  it.each(rejections)("%s is refused for reading and writing: %j", (_kind, path) => {
    for (const use of ["read", "write"] as const) expect(refusalOf(path, use)).toMatch(/is refused: .+\.$/);
  });

  it.each(notWritten)("to what the hall or other tools live by is refused for writing: %s", (path) => {
    expect(refusalOf(path, "write")).toMatch(/is refused: .+\.$/);
  });

  it.each(accepted)("that is merely unusual is accepted: %s", (path) => {
    for (const use of ["read", "write"] as const) expect(checkPath(path, use)).toBe(path);
  });

  it.each([
    ["./a.md", "a.md"],
    ["a//b.md", "a/b.md"],
    ["a/./b.md", "a/b.md"],
    ["a/", "a"],
  ])("is cleaned: %s", (path, cleaned) => {
    expect(checkPath(path, "write")).toBe(cleaned);
  });

  it("is quoted in the refusal without what would harm a terminal, and not at length", () => {
    const told = refusalOf(`${"x".repeat(5_000)}\u001b[2J\ud800`, "read");
    expect(told.length).toBeLessThan(200);
    expect(refusalOf("a\u001b[2J", "read")).not.toContain("\u001b");
    expect(refusalOf("a\ud800", "read").isWellFormed()).toBe(true);
  });

  it("never leads out of its folder, whatever it is made of", () => {
    const piece = fc.constantFrom("..", ".", "/", "//", "\\", "%2e", "a", " ", "．", "‥", ";", "~", "\0", "é", "C:");
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 3, unit: "grapheme" })), { maxLength: 12 }),
        (pieces) => {
          const path = pieces.join("");
          const cleaned = acceptedAs(path);
          if (cleaned === undefined) return;
          const resolved = posix.resolve("/folder", cleaned.normalize("NFKC"));
          expect(resolved.startsWith("/folder/"), JSON.stringify(path)).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["letters", "a"],
    ["separators", "a/"],
    ["dots", "../"],
    ["percent signs", "%2"],
    ["spaces", " "],
    ["stars", "**/"],
    ["backslashes", "\\"],
    ["combining marks", "\u0301"],
    ["semicolons", ";"],
  ])("of any length takes no longer than its length asks: %s", (_name, unit) => {
    const best = (size: number) => {
      const path = `x${unit.repeat(size)}`;
      return Math.min(...Array.from({ length: 5 }, () => duration(() => acceptedAs(path))));
    };
    const slow = best(400_000);
    if (slow > 5) expect(slow / best(100_000)).toBeLessThan(12);
  });
});

function refusalOf(path: string, use: PathUse): string {
  try {
    return `accepted as ${checkPath(path, use)}`;
  } catch (error) {
    if (error instanceof HallError && error.code === "path_refused") return error.message;
    throw error;
  }
}

function acceptedAs(path: string): string | undefined {
  try {
    return checkPath(path, "write");
  } catch {
    return undefined;
  }
}

function duration(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
