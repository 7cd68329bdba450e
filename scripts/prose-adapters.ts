/** Files that may look into texts, because foreign programs say what they mean in no other way. */
export const PROSE_ADAPTERS: Readonly<Record<string, string>> = {
  "src/cli/command-line.ts": "commander names an unknown option in its message alone",
  "src/models/failures.ts": "providers tell quota, length and refused settings apart in their error messages alone",
  "src/processes/process-exit.ts": "Node tells of a heap that is full on standard error alone",
  "src/runs/clone/clone-failure.ts": "git and ssh tell in words alone why a clone failed, and how far it is",
  "src/runs/notify/webhook.ts": "fetch refuses a port with a message and no code",
  "src/store/markup/json-text.ts": "JSON.parse names the place of an error in its message alone",
  "src/store/markup/yaml-full.ts": "the YAML parser names the bracket that is open in its message alone",
};
