import { BlockList, isIPv4, isIPv6 } from "node:net";

const nets: readonly [string, number, "ipv4" | "ipv6"][] = [
  ["127.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  // Shared by carriers, and what Tailscale gives its machines.
  ["100.64.0.0", 10, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
];

const known = new BlockList();
for (const [net, bits, family] of nets) known.addSubnet(net, bits, family);

/** Whether an address, in digits, is of this machine or of a private network. A name never is: it may lead anywhere. */
export function isPrivateAddress(address: string): boolean {
  const digits = address.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(digits)) return known.check(digits, "ipv4");
  const plain = digits.replace(/%.*$/, "");
  return isIPv6(plain) && known.check(plain, "ipv6");
}
