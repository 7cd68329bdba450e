import fc from "fast-check";
import type { EndpointName } from "../../src/contract/routes/endpoints.ts";
import type { Route } from "../../src/contract/routes/route.ts";
import { routes } from "../../src/contract/routes/routes.ts";
import { awkwardText, mutated } from "./awkward.ts";
import { fitting } from "./from-schema.ts";
import { addressOf, type WireRequest } from "./wire.ts";

/** Ids that are there, by the name a path gives them; generators use them in their own places and in each other's. */
export type KnownIds = Record<string, string[]>;

const ODD_SEGMENTS = [
  ...["", ".", "..", "%2e", "%2e%2e", "%2E%2E%2f", "%2f", "%5c", "%00", "%0a", "%20", "%25", "%252e", "%3f", "%23"],
  ...["%", "%f", "%ff", "%c0%ae", "%ed%a0%80", "%u002e", ":id", "*", "{id}", ";x=1", "a;b", "~", "@", "con", "NUL"],
  ...["__proto__", "constructor", "toString", "0", "-1", "null", "undefined", "TASK-0001", "task-001"],
  ...["a".repeat(300), "a".repeat(5_000), "TASK-999999999999", "TASK-9999999999999", "%e2%80%ae", "%F0%9F%98%80"],
];

/** Requests to an endpoint, made from what it accepts and then spoilt here and there; one in four is left whole. */
export function requestsTo(name: EndpointName, ids: KnownIds): fc.Arbitrary<WireRequest> {
  const { method, path } = addressOf(name);
  const route: Route = routes[name];
  return fc
    .record({ path: pathsLike(path, ids), query: queriesOf(route), body: bodiesOf(route), headers: headersOf(method) })
    .map(({ path: at, query, body, headers }) => ({
      method,
      path: query === "" ? at : `${at}?${query}`,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body,
    }));
}

function pathsLike(pattern: string, ids: KnownIds): fc.Arbitrary<string> {
  const everyId = Object.values(ids).flat();
  const segments = pattern
    .slice(1)
    .split("/")
    .map((segment): fc.Arbitrary<string> => {
      if (!segment.startsWith(":")) return fc.constant(segment);
      const fits = ids[segment.slice(1)] ?? everyId;
      return fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...fits) },
        { weight: 1, arbitrary: fc.constantFrom(...everyId) },
        { weight: 1, arbitrary: fc.constantFrom(...ODD_SEGMENTS) },
        { weight: 1, arbitrary: awkwardText.map((text) => encodeURIComponent(text.toWellFormed())) },
      );
    });
  return fc.tuple(...segments).map((parts) => `/${parts.join("/")}`);
}

/** Paths that begin like one of ours and go on in some other way. */
export function oddPaths(patterns: readonly string[]): fc.Arbitrary<string> {
  const words = [...new Set(patterns.flatMap((pattern) => pattern.split("/")))].filter((word) => !word.startsWith(":"));
  const segment = fc.oneof(fc.constantFrom(...words, "alpha", "TASK-001"), fc.constantFrom(...ODD_SEGMENTS));
  return fc
    .tuple(fc.boolean(), fc.array(segment, { maxLength: 6 }), fc.constantFrom("", "/", "//", "?", "?a", "#x", "/?x=1"))
    .map(([isApi, segments, end]) => `/${[...(isApi ? ["api"] : []), ...segments].join("/")}${end}`);
}

function queriesOf(route: Route): fc.Arbitrary<string> {
  const pair = fc
    .tuple(fc.oneof(fc.constantFrom("limit", "cursor", "q", "__proto__", "x"), awkwardText), awkwardText)
    .map(([key, value]) => `${encode(key)}=${encode(value)}`);
  const odd = fc.constantFrom("limit=1&limit=2", "%", "%ff=%ff", "=", "&&", "a[]=1", "cursor=", "limit=1e9", "q=%00");
  const extra = fc.oneof(
    pair,
    odd,
    cursors.map((cursor) => `cursor=${cursor}`),
  );
  if (!route.query) return fc.oneof({ weight: 5, arbitrary: fc.constant("") }, { weight: 1, arbitrary: extra });
  const whole = fitting(route.query).map((query) =>
    Object.entries(query as object)
      .map(([key, value]) => `${key}=${encode(String(value))}`)
      .join("&"),
  );
  return fc.oneof(
    whole,
    fc.tuple(whole, extra).map((parts) => parts.join("&")),
    extra,
  );
}

/** What a cursor might decode to if somebody made one up. */
const cursors = fc
  .oneof(
    fc.array(fc.oneof(awkwardText, fc.integer(), fc.constantFrom(1e300, -0.5, null, "alpha", "2026")), {
      maxLength: 4,
    }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  .map((position) => Buffer.from(JSON.stringify(position)).toString("base64url"));

function bodiesOf(route: Route): fc.Arbitrary<Buffer | undefined> {
  const stray = fc.constantFrom<Buffer | undefined>(
    undefined,
    undefined,
    undefined,
    Buffer.from("{}"),
    Buffer.from('{"a":1}'),
  );
  if (!route.body) return stray;
  const whole = fitting(route.body);
  const bytes = (values: fc.Arbitrary<unknown>) => values.map((value) => Buffer.from(JSON.stringify(value)));
  const cut = fc.tuple(bytes(whole), fc.nat(200)).map(([body, at]) => body.subarray(0, at % (body.length + 1)));
  const odd = [
    "",
    "null",
    "[]",
    "1",
    '"x"',
    "{}",
    "{",
    '{"title":NaN}',
    '{"title":1e999}',
    '{"title":"a","title":1}',
    "{} {}",
  ];
  const notText = [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from("\ufeff{}"), Buffer.from("{}", "utf16le")];
  return fc.oneof(
    { weight: 4, arbitrary: bytes(whole) },
    { weight: 10, arbitrary: bytes(mutated(whole)) },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: fc.constantFrom(...odd.map((text) => Buffer.from(text)), ...notText) },
  );
}

function headersOf(method: string): fc.Arbitrary<WireRequest["headers"]> {
  const value = fc.oneof(
    fc.constantFrom("*", '""', '"x"', 'W/"x"', '"a", "b"', "", "x".repeat(300), "\u00e9", "-1", "1e9", "9".repeat(30)),
    fc.uuid(),
  );
  const names =
    method === "GET"
      ? ["if-none-match", "last-event-id", "range", "accept"]
      : ["if-match", "idempotency-key", "content-type", "x-guildhall-client", "content-encoding"];
  const twice = fc.constantFrom(...names).map((name) => ({ [name]: ["a", "b"] }));
  const once = fc.tuple(fc.constantFrom(...names), value).map(([name, given]) => ({ [name]: given }));
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    { weight: 3, arbitrary: once },
    { weight: 1, arbitrary: twice },
  );
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
