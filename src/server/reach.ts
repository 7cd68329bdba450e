import type { Config } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import { isPrivateAddress } from "./private-addresses.ts";

/** How other devices reach the daemon, as the person configured it. */
export type Reach = Pick<Config["server"], "publicUrl" | "allowedHosts" | "allowPlainHttp">;

export const NO_REACH: Reach = { allowedHosts: [], allowPlainHttp: false };

/**
 * The address that a phone is sent to. Throws pair_refused where there is none, or where what is sent there could be read on
 * the way.
 */
export function pairingAddress(reach: Reach): string {
  const { publicUrl } = reach;
  if (publicUrl === undefined)
    throw refused(
      "No public address is configured.",
      "Set server.publicUrl in config.yml to the address your phone can open, such as the HTTPS address of 'tailscale serve' or of your reverse proxy, and restart the daemon.",
    );
  if (isAccepted(publicUrl, reach)) return new URL(publicUrl).origin;
  if (!isPrivateAddress(new URL(publicUrl).hostname))
    throw refused(
      `'${publicUrl}' is not encrypted.`,
      "Use an https:// address. Plain HTTP works only with an IP address of a private network and server.allowPlainHttp: true.",
    );
  throw refused(
    `'${publicUrl}' is not encrypted, so anyone on that network can read the traffic.`,
    "Use an https:// address, or accept the risk with server.allowPlainHttp: true in config.yml and restart the daemon.",
  );
}

/** Further names under which the daemon answers, beside those of the machine. */
export function configuredAddresses(reach: Reach): { hosts: string[]; origins: string[] } {
  const { publicUrl, allowedHosts } = reach;
  const named = allowedHosts.flatMap((host) => [`https://${host}`, `http://${host}`]);
  const urls = [...(publicUrl === undefined ? [] : [publicUrl]), ...named].filter((url) => isAccepted(url, reach));
  return {
    hosts: [...urls.map((url) => new URL(url).host), ...allowedHosts].map((host) => host.toLowerCase()),
    origins: urls.map((url) => new URL(url).origin),
  };
}

function isAccepted(url: string, { allowPlainHttp }: Reach): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (allowPlainHttp && isPrivateAddress(hostname));
}

function refused(message: string, hint: string): HallError {
  return new HallError("pair_refused", message, { hint });
}
