import { networkInterfaces } from "node:os";

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

export interface OwnAddresses {
  readonly url: string;
  /** What a Host header may say. */
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
}

/**
 * The names this daemon answers under. Bound to every address, it also answers under those of the machine:
 * an address in digits cannot be re-pointed by a name server, a name could.
 */
export function ownAddresses(
  host: string,
  port: number,
  {
    machine = machineAddresses,
    scheme = "http",
  }: { machine?: () => readonly string[]; scheme?: "http" | "https" } = {},
): OwnAddresses {
  const names = new Set([...LOOPBACK, ...(ANY_ADDRESS.has(host) ? machine() : [host.toLowerCase()])]);
  const hosts = new Set<string>();
  for (const name of names) {
    hosts.add(`${bracketed(name)}:${port}`);
    if (port === (scheme === "http" ? 80 : 443)) hosts.add(bracketed(name));
  }
  const origins = new Set([...hosts].map((name) => `${scheme}://${name}`));
  return { url: `${scheme}://${bracketed(reachable(host))}:${port}`, hosts, origins };
}

function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

function bracketed(name: string): string {
  return name.includes(":") ? `[${name}]` : name;
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map((entry) => entry.address));
}
