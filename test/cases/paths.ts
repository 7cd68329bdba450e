/** Paths as they come from outside, by what is wrong with them. */
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

export const refusedPaths: Record<string, string[]> = {
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

/** Fine to read, if they are there; not written by way of a path from outside. */
export const unwritablePaths = [
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
    ".cursor/mcp.json",
    ".mcp.json",
    "web/.MCP.json",
  ],
  // Look-alikes, invisible characters and short names that some disks take for the same.
  ...[".g\u200cit/config", ".git\u200d/hooks/x", ".ｇｉｔ/config", "GIT~1/config", "PROJECT.ＪＳＯＮ"],
  ...[
    "./.git//hooks/./x",
    "PROJECT.md/",
    "project.MD",
    "Team.md",
    "CONFIG.yml",
    "TASKS/todo/TASK-001.md",
    "RUNS/index.jsonl",
  ],
  ...[".guildhall\u200b/token", "\u200b.env", ".en\ufe0fv", "id_r\u00adsa"],
  ...[".guildhall/token", ".vscode/tasks.json", "sub/ROLES.json", "sub/sessions/a.jsonl", "sub/runs/day/b.JSONL"],
];

export const acceptedPaths = [
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
  ...["src/events/handler.ts", "app/teams/runs/sessions/list.py", "packages/a/project.json", "docs/config.yml"],
];
