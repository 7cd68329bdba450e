import { isIP } from "node:net";
import type { FetchRules } from "../../contract/documents/web.ts";
import { closedAddress } from "./address-rules.ts";
import { WebRefusal } from "./web-refusal.ts";

/** Resolves a name to all of its addresses. */
export type ResolveName = (host: string) => Promise<string[]>;

/** An address whose every part was judged, with the only addresses that may be connected to. */
export interface CheckedAddress {
  url: URL;
  /** Without brackets and without a dot at the end. */
  host: string;
  port: number;
  addresses: string[];
}

const LONGEST = 4_000;
const LOCAL_NAME =
  /^(?:localhost|metadata)$|\.(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|arpa|onion|test|invalid)$/;

/** Judges an address by its form alone. Odd spellings of addresses are put right by URL, and judged as what they mean. */
export function parseAddress(given: string, base?: URL): URL {
  if (given.length > LONGEST) throw new WebRefusal(`the address is longer than ${LONGEST} characters`);
  if (/[\s\p{Cc}]/u.test(given.trim())) throw new WebRefusal("the address has spaces or control characters");
  const url = URL.parse(given.trim(), base?.href);
  if (url === null) throw new WebRefusal("it is not a URL such as https://host/path");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new WebRefusal(`only http and https are supported, not '${url.protocol.slice(0, 40)}'`);
  if (url.username + url.password !== "") throw new WebRefusal("the address has a user name or password");
  url.hash = "";
  return url;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/**
 * Resolves the address once and judges all that it resolves to: one address that is not public closes the name, because
 * which one is used is not ours to choose. Whoever connects must use these addresses and resolve nothing again.
 */
export async function checkAddress(url: URL, rules: FetchRules, resolveName: ResolveName): Promise<CheckedAddress> {
  const host = hostOf(url);
  const port = portOf(url);
  const isAllowed = rules.allow.some((entry) => isEntryOf(entry, host, port));
  if (!isAllowed) assertOpen(host, port, rules);
  const addresses = isIP(host) === 0 ? await resolved(host, resolveName) : [host];
  const closed = isAllowed ? undefined : addresses.map(closedAddress).find((what) => what !== undefined);
  if (closed !== undefined) throw new WebRefusal(`'${host}' is not on the public internet (its address is ${closed})`);
  return { url, host, port, addresses };
}

function isEntryOf(entry: string, host: string, port: number): boolean {
  const url = URL.parse(`http://${entry}/`);
  return url !== null && hostOf(url) === host && portOf(url) === port;
}

function assertOpen(host: string, port: number, { ports }: FetchRules): void {
  if (!ports.includes(port)) throw new WebRefusal(`port ${port} is not one of ${ports.join(", ")}`);
  if (isIP(host) !== 0) return;
  if (host === "" || host.includes("%") || host.includes("..")) throw new WebRefusal("the host is not a name");
  if (LOCAL_NAME.test(host) || !host.includes("."))
    throw new WebRefusal(`'${host}' is a local network name, not on the public internet`);
}

async function resolved(host: string, resolveName: ResolveName): Promise<string[]> {
  const addresses = await resolveName(host).catch(() => []);
  if (addresses.length === 0) throw new WebRefusal(`the name '${host}' could not be resolved`);
  return addresses;
}
