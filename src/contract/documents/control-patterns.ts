/**
 * Files by which tools on the person's machine, or a CI server, are told what to run or what to do. Without imports, so
 * that pages and commands can load it.
 */
export const CONTROL_KINDS = ["agent", "ci", "editor", "git", "hook", "package-manager"] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

/** What a change to such a file can do, for the person who reviews it. */
export const CONTROL_REASONS: Record<ControlKind, string> = {
  agent: "Agents follow these files as instructions or settings, and some of them start programs.",
  ci: "A CI server runs these files, usually with access to your secrets.",
  editor: "An editor reads these files when it opens the folder, and they can start programs.",
  git: "Git reads these files to decide which other repositories to fetch, how to treat files and which programs to run.",
  hook: "These files run automatically when you commit, check out or enter the folder.",
  "package-manager": "A package manager reads these files and can run what they name during an install.",
};

/** Said of those that a run changed in a folder without git. */
export const CONTROL_IN_FOLDER = "They are already in the folder and in effect. Discarding the result undoes them.";

/**
 * As in .gitignore, reduced: a name at any depth, or several joined by `/`; `*` stands for any characters of one name; a
 * pattern that ends in `/` also covers everything below. Case and Unicode form do not matter.
 */
export interface ControlPattern {
  pattern: string;
  kind: ControlKind;
  /** Of a JSON file: only changes of these keys count. */
  keys?: readonly string[];
  /** With keys: of the dependencies under these, those count that do not come from a registry. */
  dependencies?: readonly string[];
}

/** Keys by which npm, pnpm, yarn, bun and the hook managers that are configured in package.json start programs. */
const PACKAGE_KEYS = [
  ...["scripts", "gypfile", "workspaces", "packageManager", "devEngines", "config"],
  ...["pnpm", "trustedDependencies", "allowScripts", "installConfig", "dependenciesMeta"],
  ...["husky", "lint-staged", "nano-staged", "simple-git-hooks", "gitHooks", "git-hooks"],
  ...["pre-commit", "pre-push", "lefthook", "volta"],
];

const DEPENDENCY_KEYS = ["dependencies", "devDependencies", "optionalDependencies", "overrides", "resolutions"];

const PATTERNS: Record<ControlKind, readonly string[]> = {
  agent: [
    ...["AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md", ".goosehints"],
    ...[".claude/", ".agents/", ".codex/", ".cursor/", ".gemini/", ".opencode/", ".continue/", ".windsurf/", ".roo/"],
    ...[".kiro/", ".junie/", ".amazonq/", ".qwen/", ".cline/", ".clinerules/", ".roorules*", ".aider*"],
    ...[".mcp.json", "mcp.json", "opencode.json*", ".cursorrules", ".windsurfrules", ".rules"],
    ...[".github/copilot-*", ".github/instructions/", ".github/prompts/", ".github/agents/", ".github/chatmodes/"],
    ...[
      ".github/hooks/",
      ".github/skills/",
      ".copilot/",
      ".claude-plugin/",
      "AGENT.md",
      ".agent/",
      "CRUSH.md",
      "WARP.md",
    ],
    ...[".crush/", "crush.json", ".crush.json", ".warp/", ".goose/", ".augment/", ".augment-guidelines", ".factory/"],
    ...[".kilocode/", ".kilocodemodes", ".roomodes", ".trae/", ".openhands/", ".amp/", ".zencoder/", ".tabnine/"],
  ],
  ci: [
    ...[".github/workflows/", ".github/actions/", ".github/dependabot.y*ml", ".forgejo/", ".gitea/"],
    ...[".gitlab-ci*.y*ml", ".gitlab/", ".circleci/", ".buildkite/", ".semaphore/", ".teamcity/", ".woodpecker*/"],
    ...["azure-pipelines*.y*ml", ".azure-pipelines/", "Jenkinsfile*", ".travis.y*ml", "bitbucket-pipelines.y*ml"],
    ...["CODEOWNERS", "renovate.json*", ".renovaterc*", ".mergify.y*ml", ".mergify/", ".readthedocs.y*ml", ".tekton/"],
    ...[".build.yml", ".builds/", ".zuul.*", ".zuul.d/", "bitrise.y*ml", "netlify.toml", "vercel.json"],
    ...[".drone.*", "appveyor.y*ml", ".appveyor.y*ml", "cloudbuild.*", "buildspec.y*ml", ".cirrus.*", "codemagic.y*ml"],
  ],
  editor: [
    ...[".vscode/", ".idea/", ".zed/", ".fleet/", ".vs/", ".nova/", ".theia/", ".devcontainer/", ".devcontainer.json"],
    ...["*.code-workspace", "*.sublime-project", ".gitpod.y*ml", ".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".nvim/"],
    ...[".dir-locals*.el", ".project", ".settings/", ".vim/", ".lvimrc", ".local.vimrc", ".helix/", ".lite_project*"],
    ...[
      ".idx/",
      ".replit",
      "*.ipr",
      ".Rprofile",
      ".Renviron",
      ".ghci",
      ".gdbinit",
      ".lldbinit",
      ".pdbrc",
      ".irbrc",
      ".pryrc",
    ],
  ],
  git: [".gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig"],
  hook: [
    ...[".husky/", ".huskyrc*", ".githooks/", ".git-hooks/", ".hooks/", ".pre-commit-config.y*ml", ".overcommit.yml"],
    ...[".pre-commit-hooks.y*ml", ".git-hooks.*", "lefthook*.*", ".lefthook*", ".lefthook/", ".lintstagedrc*"],
    ...["lint-staged.config.*", ".simple-git-hooks.*", "simple-git-hooks.*", ".envrc", ".autoenv*"],
    ...["mise*.toml", ".mise*.toml", ".mise/", "mise/config*.toml", "mise/conf.d/", ".nano-staged.*", "nano-staged.*"],
    ...["flake.nix", "shell.nix", "devenv.nix", "devenv.yaml", "devbox.json", ".shadowenv.d/"],
    // Git runs files of these names in whatever folder core.hooksPath names.
    ...["applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg"],
    ...["commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "post-rewrite", "pre-push"],
    ...["pre-auto-gc", "reference-transaction", "post-index-change", "fsmonitor-watchman", "sendemail-validate"],
    ...[".hg/", ".jj/", ".sl/"],
  ],
  "package-manager": [
    ...[".npmrc", ".yarnrc*", ".yarn/", ".pnpmfile.*", "pnpmfile.*", "pnpm-workspace.yaml", "bunfig.toml"],
    ...["binding.gyp", ".corepack.env", ".cargo/", ".mvn/", "gradle/wrapper/", ".bundle/", "pip.conf", ".condarc"],
    ...["nuget.config", ".bazelrc", ".bazeliskrc", ".bazelversion", "tools/bazel", "rust-toolchain*", ".prototools"],
    ...["package.json5", "package.yaml", ".pnp.*", ".puppeteerrc*", "gradlew*", "mvnw*", "uv.toml", "poetry.toml"],
  ],
};

/** Unless config.yml adds or removes some. */
export const DEFAULT_CONTROL_PATTERNS: readonly ControlPattern[] = [
  ...CONTROL_KINDS.flatMap((kind) => PATTERNS[kind].map((pattern) => ({ pattern, kind }))),
  { pattern: "package.json", kind: "package-manager", keys: PACKAGE_KEYS, dependencies: DEPENDENCY_KEYS },
  { pattern: "composer.json", kind: "package-manager", keys: ["scripts", "config", "repositories", "extra"] },
];
