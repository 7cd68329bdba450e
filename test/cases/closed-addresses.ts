/** Addresses that lead to this machine, its network, a cloud's metadata or nowhere, in all the ways they can be written. */
const HOSTS = [
  // Loopback and this machine, as numbers.
  ...["127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "017700000001", "0177.0.0.1"],
  ...["0x7f.0.0.1", "0x7f.1", "127.0.0.01", "127.0.0.1.", "0.0.0.0", "0", "0x0", "0.1.2.3"],
  // Digits and dots that only look different.
  ...["127。0。0。1", "１２７.0.0.1", "①②⑦.0.0.1", "127%2e0%2e0%2e1", "%31%32%37.0.0.1"],
  // Private, shared, link-local, reserved, multicast and broadcast.
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "3232235521", "0xc0.0xa8.0.1"],
  ...["100.64.0.1", "100.127.255.255", "100.100.100.200", "169.254.169.254", "0xa9fea9fe", "2852039166"],
  ...["169.254.170.2", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9"],
  ...["192.88.99.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"],
  // IPv6, and IPv4 inside it.
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[::ffff:a9fe:a9fe]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::a00:1]"],
  ...["[2002:7f00:1::]", "[2002:a00:1::1]", "[2001:0:7f00:1::]", "[2001:db8::1]", "[3fff::1]", "[100::1]"],
  ...["[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[4000::1]"],
  // Names of local networks.
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "printer.local", "router"],
  ...[
    "metadata",
    "metadata.google.internal",
    "METADATA.google.internal.",
    "db.intranet",
    "nas.lan",
    "1.0.0.127.in-addr.arpa",
  ],
];

export const CLOSED_ADDRESSES: readonly string[] = [
  ...HOSTS.map((host) => `http://${host}/`),
  ...["https://127.0.0.1/", "http:127.0.0.1", "http:/127.0.0.1/", "http:///127.0.0.1/", "http:\\\\127.0.0.1\\x"],
  ...["http://127.0.0.1#@site.example/", "http://127.0.0.1?@site.example/", "http://127.0.0.1\\@site.example/"],
  // Zones, user names, ports of other services.
  ...["http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1%251]/"],
  ...[
    "http://user@site.example/",
    "http://user:word@site.example/",
    "http://site.example@127.0.0.1/",
    "http://:@127.0.0.1/",
  ],
  ...["http://127.0.0.1:22/", "http://127.0.0.1:2375/version", "http://site.example:22/", "http://site.example:6379/"],
  ...["https://site.example:8443/", "http://site.example:0/", "http://site.example:65536/"],
  // Other schemes.
  ...[
    "file:///etc/passwd",
    "ftp://127.0.0.1/",
    "gopher://127.0.0.1:70/_x",
    "dict://127.0.0.1:11211/stat",
    "ws://127.0.0.1/",
  ],
  ...["javascript:alert(1)", "data:text/html,hello", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "jar:http://x!/"],
  ...["blob:http://site.example/1", "view-source:http://site.example/", "about:blank", "ldap://127.0.0.1/"],
  // Nothing that is an address.
  ...[
    "http://",
    "http://a b/",
    "http://xn--/",
    "http://.",
    "http://..",
    "http://%00/",
    "http://\u0000/",
    "//127.0.0.1/",
  ],
  ...["127.0.0.1", "site.example", "http://site.example/\r\nHost: x", "http://sit\te.example/", "", " "],
  // Names that resolve to something closed; see RESOLVED.
  ...["http://7f000001.nip.example/", "http://rebound.example/", "http://mixed.example/", "http://mapped.example/"],
  ...["http://xn--mnchen-3ya.example/", "http://münchen.example/", "http://nowhere.example/"],
];

/** What the names above resolve to, the last answer again and again. `site.example` must never be asked for. */
export const RESOLVED: Record<string, string[][]> = {
  "7f000001.nip.example": [["127.0.0.1"]],
  "rebound.example": [["8.8.8.8"], ["127.0.0.1"]],
  "mixed.example": [["8.8.8.8", "10.0.0.1"]],
  "mapped.example": [["::ffff:10.0.0.1"]],
  "xn--mnchen-3ya.example": [["192.168.0.7"]],
};
