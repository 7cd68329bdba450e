import { expect, it } from "vitest";
import { looksLikeAddress, readAddress, withoutCredentials } from "./repository-address.ts";

it.each([
  ["https://github.com/vercel/ms.git", "https", "ms", "https://github.com/vercel/ms.git"],
  [" https://example.org/a/b%20c/ ", "https", "b-c", "https://example.org/a/b%20c/"],
  ["ssh://git@example.org:22/team/shop.git", "ssh", "shop", "ssh://git@example.org:22/team/shop.git"],
  ["git@github.com:vercel/ms.git", "ssh", "ms", "git@github.com:vercel/ms.git"],
  ["http://127.0.0.1:8080/shop.git", "http", "shop", "http://127.0.0.1:8080/shop.git"],
  ["file:///srv/git/shop.git", "file", "shop", "file:///srv/git/shop.git"],
  ["/srv/git/shop", "file", "shop", "/srv/git/shop"],
  ["https://example.org/..%2f..%2f.ssh", "https", "ssh", "https://example.org/..%2f..%2f.ssh"],
])("'%s' is cloned over %s into '%s'", (text, transport, name, url) => {
  expect(readAddress(text)).toEqual({ address: { url, transport, name } });
});

it.each([
  ["", "malformed"],
  ["-uevil", "malformed"],
  ["--upload-pack=touch /tmp/x", "malformed"],
  ["ext::sh -c evil", "malformed"],
  ["ext::sh", "transport"],
  ["fd::17", "transport"],
  ["ssh://-oProxyCommand=evil/x", "malformed"],
  ["ssh://-l@example.org/x", "malformed"],
  ["-oProxyCommand=evil:x", "malformed"],
  ["host:-oEvil", "malformed"],
  ["git://example.org/x", "unencrypted"],
  ["http://example.org/x", "unencrypted"],
  ["ftp://example.org/x", "transport"],
  ["https://example.org", "malformed"],
  ["https://example.org/x?token=1", "query"],
  ["https://u:a%0ab@example.org/x", "malformed"],
  ["https://example.org/a\nb", "malformed"],
  ["file://server/share", "malformed"],
  ["shop", "malformed"],
  ["../shop", "malformed"],
])("'%s' is refused as %s", (text, refused) => {
  expect(readAddress(text)).toEqual({ refused });
});

it("credentials are taken out of the address", () => {
  expect(readAddress("https://pat:to%2Fken@example.org/shop.git")).toEqual({
    address: {
      url: "https://example.org/shop.git",
      transport: "https",
      name: "shop",
      credentials: { username: "pat", password: "to/ken", host: "example.org" },
    },
  });
  expect(withoutCredentials("https://pat:token@example.org/shop.git")).toBe("https://example.org/shop.git");
  expect(withoutCredentials("https://token@example.org/x?y=1")).toBe("https://example.org/x?y=1");
  expect(withoutCredentials("our server, see the wiki")).toBe("our server, see the wiki");
});

it("a folder is no address", () => {
  expect(["/srv/shop", "~/shop", "shop", "", "C:\\code"].some(looksLikeAddress)).toBe(false);
  expect(["https://x.org/y", "git@x.org:y", "ext::sh -c x"].every(looksLikeAddress)).toBe(true);
});
