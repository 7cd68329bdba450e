import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Special-purpose IPv4 ranges; a page that anybody may read lies in none of them. */
const CLOSED_V4: readonly [string, number, string][] = [
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "carrier-grade NAT or cloud metadata"],
  ["127.0.0.0", 8, "loopback"],
  ["168.63.129.16", 32, "cloud metadata"],
  ["169.254.0.0", 16, "link-local or cloud metadata"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

/** Within 2000::/3, outside which nothing is public. Ranges that carry an IPv4 address inside are closed as a whole. */
const CLOSED_V6: readonly [string, number, string][] = [
  ["2001::", 23, "reserved or a tunnel"],
  ["2001:db8::", 32, "reserved"],
  ["2002::", 16, "a tunnel"],
  ["3fff::", 20, "reserved"],
];

const OPEN_V6 = listOf("2000::", 3, "ipv6");
const closedV4 = CLOSED_V4.map(([net, bits, what]) => ({ list: listOf(net, bits, "ipv4"), what }));
const closedV6 = CLOSED_V6.map(([net, bits, what]) => ({ list: listOf(net, bits, "ipv6"), what }));

function listOf(net: string, bits: number, family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  list.addSubnet(net, bits, family);
  return list;
}

/** What an address is, if not one of the public internet. */
export function closedAddress(address: string): string | undefined {
  if (isIPv4(address)) return closedV4.find(({ list }) => list.check(address, "ipv4"))?.what;
  if (!isIPv6(address) || address.includes("%")) return "not an internet address";
  if (!OPEN_V6.check(address, "ipv6")) return "not public";
  return closedV6.find(({ list }) => list.check(address, "ipv6"))?.what;
}
