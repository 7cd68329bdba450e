/** A way in which git's own documentation lets a setting or a file start a program. */
export interface GitProgram {
  name: string;
  /** Lines for the repository's configuration; `TRAP` stands for the program. */
  config: string;
  /** Files to write below the checkout; `TRAP` as above. */
  files?: Record<string, string>;
  /** Commands for a plain git that make the situation, with the settings not yet in place. */
  before?: readonly (readonly string[])[];
  /** What makes git start the program. */
  trigger: readonly string[];
  input?: string;
  /** Only where its output is a terminal's, which no command of the hall has. */
  needsTerminal?: true;
  /** The first version that knows the setting. */
  since?: readonly [number, number];
}

const HOOK_EVENTS = ["pre-commit", "post-index-change", "reference-transaction", "post-checkout"] as const;
/** A commit on another branch that changes the same line as the one that is checked out. */
const DIVERGED = [
  ["checkout", "--quiet", "-b", "other"],
  ["commit", "--quiet", "--allow-empty", "-m", "Other"],
  ["checkout", "--quiet", "main"],
];
const FILTERED = { "new.txt": "new\n", ".gitattributes": "*.txt filter=trap\n" };
const DRIVEN = "a.txt merge=trap\n";

/** Both sides change a.txt, so that a merge has to combine it. */
const BOTH_CHANGE: readonly (readonly string[])[] = [
  ["checkout", "--quiet", "-b", "side"],
  ["apply", "--index", "side.patch"],
  ["commit", "--quiet", "-m", "Side"],
  ["checkout", "--quiet", "main"],
  ["apply", "--index", "main.patch"],
  ["commit", "--quiet", "-m", "Main"],
];
const patch = (to: string) => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+${to}\n`;
const PATCHES = { "side.patch": patch("side"), "main.patch": patch("main") };

export const GIT_PROGRAMS: readonly GitProgram[] = [
  { name: "core.fsmonitor", config: "[core]\nfsmonitor = TRAP", trigger: ["status"] },
  { name: "core.pager", config: "[core]\npager = TRAP", trigger: ["--paginate", "log"], needsTerminal: true },
  { name: "pager.<command>", config: "[pager]\nlog = TRAP", trigger: ["--paginate", "log"], needsTerminal: true },
  { name: "core.editor", config: "[core]\neditor = TRAP", trigger: ["commit", "--amend"] },
  { name: "sequence.editor", config: "[sequence]\neditor = TRAP", trigger: ["rebase", "--interactive", "--root"] },
  {
    name: "filter.<driver>.clean",
    config: '[filter "trap"]\nclean = TRAP',
    files: FILTERED,
    trigger: ["add", "new.txt"],
  },
  {
    name: "filter.<driver>.clean with an empty name",
    config: '[filter ""]\nclean = TRAP',
    files: { "new.txt": "new\n", ".gitattributes": "*.txt filter=\n" },
    trigger: ["add", "new.txt"],
  },
  {
    name: "filter.<driver>.smudge",
    config: '[filter "trap"]\nsmudge = TRAP',
    files: FILTERED,
    trigger: ["checkout-index", "--prefix=out/", "--all"],
  },
  {
    name: "filter.<driver>.process",
    config: '[filter "trap"]\nprocess = TRAP',
    files: FILTERED,
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter in an included file",
    config: "[include]\npath = included",
    files: { ...FILTERED, ".git/included": '[filter "trap"]\nclean = TRAP\n' },
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter in a file that is included by the folder",
    config: '[includeIf "gitdir:**/.git"]\npath = included',
    files: { ...FILTERED, ".git/included": '[filter "trap"]\nclean = TRAP\n' },
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter in a file that is included by the branch",
    config: '[includeIf "onbranch:**"]\npath = included',
    files: { ...FILTERED, ".git/included": '[filter "trap"]\nclean = TRAP\n' },
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter in the configuration of one checkout",
    config: "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true",
    files: { ...FILTERED, ".git/config.worktree": '[filter "trap"]\nclean = TRAP\n' },
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter that info/attributes selects",
    config: '[filter "trap"]\nclean = TRAP',
    files: { "new.txt": "new\n", ".git/info/attributes": "* filter=trap\n" },
    trigger: ["add", "new.txt"],
  },
  {
    name: "a filter that core.attributesFile selects",
    config: '[filter "trap"]\nclean = TRAP\n[core]\nattributesFile = .git/chosen',
    files: { "new.txt": "new\n", ".git/chosen": "* filter=trap\n" },
    trigger: ["add", "new.txt"],
  },
  {
    name: "merge.<driver>.driver",
    config: '[merge "trap"]\ndriver = TRAP',
    files: { ...PATCHES, ".git/info/attributes": DRIVEN },
    before: BOTH_CHANGE,
    trigger: ["merge-tree", "--write-tree", "main", "side"],
  },
  {
    name: "merge.<driver>.driver with an empty name",
    config: '[merge ""]\ndriver = TRAP',
    files: { ...PATCHES, ".git/info/attributes": "a.txt merge=\n" },
    before: BOTH_CHANGE,
    trigger: ["merge-tree", "--write-tree", "main", "side"],
  },
  {
    name: "merge.default",
    config: '[merge]\ndefault = trap\n[merge "trap"]\ndriver = TRAP',
    files: PATCHES,
    before: BOTH_CHANGE,
    trigger: ["merge-tree", "--write-tree", "main", "side"],
  },
  {
    name: "diff.external",
    config: "[diff]\nexternal = TRAP",
    files: { "a.txt": "changed\n" },
    trigger: ["diff", "--ext-diff"],
  },
  {
    name: "diff.<driver>.command",
    config: '[diff "trap"]\ncommand = TRAP',
    files: { "a.txt": "changed\n", ".gitattributes": "*.txt diff=trap\n" },
    trigger: ["diff", "--ext-diff"],
  },
  {
    name: "diff.<driver>.textconv",
    config: '[diff "trap"]\ntextconv = TRAP',
    files: { "a.txt": "changed\n", ".gitattributes": "*.txt diff=trap\n" },
    trigger: ["diff", "--textconv"],
  },
  { name: "gpg.program", config: "[gpg]\nprogram = TRAP", trigger: ["commit-tree", "-S", "-m", "x", "HEAD^{tree}"] },
  {
    name: "gpg.<format>.program",
    config: '[gpg]\nformat = x509\n[gpg "x509"]\nprogram = TRAP',
    trigger: ["commit-tree", "-S", "-m", "x", "HEAD^{tree}"],
  },
  {
    name: "gpg.ssh.defaultKeyCommand",
    config: '[gpg]\nformat = ssh\n[gpg "ssh"]\ndefaultKeyCommand = TRAP',
    trigger: ["commit-tree", "-S", "-m", "x", "HEAD^{tree}"],
  },
  {
    name: "trailer.<token>.command",
    config: '[trailer "x"]\nkey = X\ncommand = TRAP',
    trigger: ["interpret-trailers"],
    input: "Subject\n",
  },
  {
    name: "trailer.<token>.cmd",
    config: '[trailer "x"]\nkey = X\ncmd = TRAP',
    trigger: ["interpret-trailers", "--trailer", "X=1"],
    input: "Subject\n",
  },
  {
    name: "tar.<format>.command",
    config: '[tar "x"]\ncommand = TRAP',
    trigger: ["archive", "--format=x", "HEAD"],
  },
  { name: "alias.<name>", config: "[alias]\nx = !TRAP", trigger: ["x"] },
  { name: "core.sshCommand", config: "[core]\nsshCommand = TRAP", trigger: ["ls-remote", "ssh://localhost/x"] },
  { name: "core.gitProxy", config: "[core]\ngitProxy = TRAP", trigger: ["ls-remote", "git://localhost/x"] },
  {
    name: "remote.<name>.uploadpack",
    config: '[remote "x"]\nurl = .\nuploadpack = TRAP',
    trigger: ["ls-remote", "x"],
  },
  {
    name: "url.<base>.insteadOf with the transport ext",
    config: '[url "ext::TRAP %S "]\ninsteadOf = x:\n[protocol "ext"]\nallow = always',
    trigger: ["ls-remote", "x:y"],
  },
  {
    name: "a remote from which missing objects come",
    config:
      '[core]\nrepositoryformatversion = 1\nsshCommand = TRAP\n[extensions]\npartialClone = x\n[remote "x"]\nurl = ssh://localhost/x\npromisor = true',
    trigger: ["cat-file", "-p", "1234567812345678123456781234567812345678"],
  },
  {
    name: "credential.helper",
    config: "[credential]\nhelper = !TRAP",
    trigger: ["credential", "fill"],
    input: "protocol=https\nhost=localhost\n\n",
  },
  {
    name: "core.askPass",
    config: "[core]\naskPass = TRAP",
    trigger: ["credential", "fill"],
    input: "protocol=https\nhost=localhost\n\n",
  },
  {
    name: "submodule.<name>.update",
    config: '[submodule "s"]\nupdate = !TRAP\nurl = ./.git\nactive = true',
    files: { ".gitmodules": '[submodule "s"]\npath = s\nurl = ./.git\n' },
    before: [
      ["commit", "--quiet", "--allow-empty", "-m", "Second"],
      ["clone", "--quiet", ".", "s"],
      ["update-index", "--add", "--cacheinfo", "160000,HEAD,s"],
    ],
    trigger: ["submodule", "update", "s"],
  },
  {
    name: "difftool.<tool>.cmd",
    config: '[difftool "x"]\ncmd = TRAP',
    files: { "a.txt": "changed\n" },
    trigger: ["difftool", "--no-prompt", "--tool=x"],
  },
  {
    name: "mergetool.<tool>.cmd",
    config: '[mergetool "x"]\ncmd = TRAP\ntrustExitCode = true',
    files: PATCHES,
    before: [...BOTH_CHANGE, ["merge", "side"]],
    trigger: ["mergetool", "--no-prompt", "--tool=x"],
  },
  {
    name: "browser.<tool>.cmd",
    config: '[browser "x"]\ncmd = TRAP',
    trigger: ["web--browse", "--tool=x", "file:///x"],
  },
  { name: "man.<tool>.cmd", config: '[man]\nviewer = x\n[man "x"]\ncmd = TRAP', trigger: ["help", "--man", "log"] },
  {
    name: "interactive.diffFilter",
    config: "[interactive]\ndiffFilter = TRAP\n[color]\nui = always\ninteractive = always\ndiff = always",
    files: { "a.txt": "changed\n" },
    trigger: ["add", "--patch"],
    needsTerminal: true,
    input: "q\n",
  },
  {
    name: "gc.recentObjectsHook",
    config: "[gc]\nrecentObjectsHook = TRAP\ncruftPacks = false",
    before: [["hash-object", "-w", "a.txt"]],
    trigger: ["prune", "--expire=now"],
    since: [2, 42],
  },
  ...HOOK_EVENTS.map(
    (event): GitProgram => ({
      name: `the hook ${event} in .git/hooks`,
      config: "",
      files: { [`.git/hooks/${event}`]: "#!/bin/sh\nTRAP\n", "a.txt": "changed\n" },
      ...triggerOf(event),
    }),
  ),
  ...HOOK_EVENTS.map(
    (event): GitProgram => ({
      name: `the hook ${event} by core.hooksPath`,
      config: "[core]\nhooksPath = .git/chosen",
      files: { [`.git/chosen/${event}`]: "#!/bin/sh\nTRAP\n", "a.txt": "changed\n" },
      ...triggerOf(event),
    }),
  ),
  ...HOOK_EVENTS.map(
    (event): GitProgram => ({
      name: `the hook ${event} by hook.<name>.command`,
      config: `[hook "trap"]\nevent = ${event}\ncommand = TRAP`,
      files: { "a.txt": "changed\n" },
      ...triggerOf(event),
      since: [2, 54],
    }),
  ),
];

function triggerOf(event: (typeof HOOK_EVENTS)[number]): Pick<GitProgram, "before" | "trigger"> {
  switch (event) {
    case "pre-commit":
      return { trigger: ["commit", "--quiet", "--all", "-m", "x"] };
    case "post-index-change":
      return { trigger: ["update-index", "--add", "a.txt"] };
    case "reference-transaction":
      return { trigger: ["update-ref", "refs/heads/made", "HEAD"] };
    case "post-checkout":
      return { before: DIVERGED, trigger: ["checkout", "--quiet", "other"] };
  }
}
