/** How git behaves here, whatever a repository says. */
const SETTINGS: Record<string, string> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.quotePath": "false",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "diff.submodule": "short",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "core.fsync": "all",
  "core.fsyncMethod": "fsync",
};

/** The whole environment of a git command, but for what it works on. */
export function gitEnvironment(path: string): Record<string, string> {
  const entries = Object.entries(SETTINGS);
  return {
    PATH: path,
    // Nobody's: what the person set for all repositories is passed on by value.
    HOME: "/nonexistent",
    // Not as arguments: a name in them may hold an equals sign.
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    LC_ALL: "C.UTF-8",
  };
}
