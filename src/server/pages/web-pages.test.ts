import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { house } from "../../../test/fakes/house.ts";
import { openWebFolder } from "../../store/host/web-folder.ts";
import { chosenEncoding } from "./web-pages.ts";

const INDEX = "<!doctype html><title>The hall</title>";
const SCRIPT = "export const hall = 1;";

const above = mkdtempSync(join(tmpdir(), "guildhall-web-"));
const folder = join(above, "dist");
afterAll(() => rmSync(above, { recursive: true, force: true }));

function build(): void {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(above, "secret.txt"), "secret");
  writeFileSync(join(folder, "assets/main-abc123.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-abc123.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-abc123.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(folder, "assets/name with é.svg"), "<svg/>");
  writeFileSync(join(folder, ".sources"), "stamp");
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  symlinkSync(join(above, "secret.txt"), join(folder, "assets/link.txt"));
  writeFileSync(join(folder, "index.html"), INDEX);
}
build();

const home = house({ web: openWebFolder(folder) });
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  home.ask(method, path, { headers, token: false });

test.each(["/", "/index.html", "/projects/shop", "/runs/run-1/", "/settings?x=1", "/projects/caf%C3%A9"])(
  "%s answers with the start page, which is asked for again each time",
  async (path) => {
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([200, INDEX]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
    });
    const again = await get(path, { "if-none-match": answer.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  },
);

test("assets have their hash in the name and are kept for good", async () => {
  const answer = await get("/assets/main-abc123.js");
  expect(await answer.text()).toBe(SCRIPT);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "content-length": String(SCRIPT.length),
    vary: "accept-encoding",
  });
  expect((await get("/favicon.svg")).headers.get("cache-control")).toBe("no-cache");
  expect((await get("/assets/name%20with%20%C3%A9.svg")).headers.get("content-type")).toBe("image/svg+xml");
});

test("what was compressed at build time is sent to whoever takes it, each with an etag of its own", async () => {
  const sent = async (accepted?: string) => {
    const answer = await get("/assets/main-abc123.js", accepted === undefined ? {} : { "accept-encoding": accepted });
    return { encoding: answer.headers.get("content-encoding"), etag: answer.headers.get("etag") };
  };
  const all = [await sent("gzip, deflate, br, zstd"), await sent("gzip"), await sent()];
  expect(all.map(({ encoding }) => encoding)).toEqual(["br", "gzip", null]);
  expect(new Set(all.map(({ etag }) => etag)).size).toBe(3);
});

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["br;q=0, gzip;q=0", undefined],
  ["*", "br"],
  ["BR", "br"],
  ["br;q=0.1, gzip;q=0.9", "gzip"],
  ["br;q=x, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
])("of br and gzip, '%s' takes %s", (accepted, chosen) => {
  expect(chosenEncoding(accepted, ["br", "gzip"])).toBe(chosen);
  expect(chosenEncoding(accepted, [])).toBeUndefined();
});

describe("what is not there", () => {
  test.each([
    "/assets/main-000000.js",
    "/assets/",
    "/assets/nothing",
    "/nothing.js",
    "/.env",
    "/.sources",
    "/assets/link.txt",
    "/assets/main-abc123.js.br",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "/assets/%252e%252e/secret.txt",
    "/index.html%00.js",
    "/%61pi/roles",
    "/%61pi",
  ])("%s is a 404 that can be read", async (path) => {
    const answer = await get(path);
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      "route_not_found",
    ]);
  });

  test("the API is never taken for a page", async () => {
    expect((await get("/api")).status).toBe(401);
    expect((await get("/api/nothing")).status).toBe(401);
    expect((await home.ask("GET", "/api/nothing")).status).toBe(404);
    expect((await get("/api/health")).headers.get("content-type")).toContain("json");
    expect(await (await get("/api/docs")).text()).toContain("createTask");
  });
});

test("a page can be looked at with HEAD and changed by nobody", async () => {
  const head = await get("/assets/main-abc123.js", {}, "HEAD");
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "22", ""]);
  for (const path of ["/", "/projects/shop", "/assets/main-abc123.js"]) {
    const answer = await get(path, {}, "POST");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
});

test("pages that are built while the daemon runs are there, and without them a page says how to build them", async () => {
  rmSync(folder, { recursive: true });
  expect(await (await get("/")).text()).toContain("npm run build");
  expect((await get("/projects/shop")).status).toBe(404);
  build();
  expect(await (await get("/")).text()).toBe(INDEX);
  expect((await get("/assets/main-abc123.js")).status).toBe(200);
});
