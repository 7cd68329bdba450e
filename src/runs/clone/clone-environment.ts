import type { RepositoryAddress } from "../../contract/words/repository-address.ts";

/** What of the person's environment git needs to reach other machines as the person. */
const PASSED_ON = [
  "HOME",
  "USER",
  "LOGNAME",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "GIT_SSL_CAINFO",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "no_proxy",
  "NO_PROXY",
  "all_proxy",
  "ALL_PROXY",
];

/** None of these can be changed by the repository, or by what the person set for all repositories. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.askPass", ""],
  ["init.templateDir", ""],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["transfer.bundleURI", "false"],
  ["credential.interactive", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "120"],
];

/** Answers git's question with what stands in the environment; it is not among the arguments, which everyone can list. */
const HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$CLONE_USER" "$CLONE_PASSWORD"; }; f';

/**
 * The whole environment of a git that fetches. Credentials are those of the person's own helpers, or those in the address, which
 * are sent to its host only and kept nowhere.
 */
export function cloneEnvironment(
  { transport, credentials }: RepositoryAddress,
  { env, path }: { env: Readonly<Record<string, string | undefined>>; path: string },
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const own = credentials === undefined ? [] : helperSettings(`${transport}://${credentials.host}`);
  return {
    ...Object.fromEntries(passed),
    ...configured([...SETTINGS, ...own]),
    ...(credentials && { CLONE_USER: credentials.username, CLONE_PASSWORD: credentials.password }),
    PATH: path,
    GIT_ALLOW_PROTOCOL: transport,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_LFS_SKIP_SMUDGE: "1",
    LC_ALL: "C.UTF-8",
  };
}

/** The first takes away the person's helpers, which would store what the address has. */
function helperSettings(host: string): (readonly [string, string])[] {
  return [
    ["credential.helper", ""],
    [`credential.${host}.helper`, HELPER],
  ];
}

function configured(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(settings.length) };
}
