import { describe, expect, test } from "vitest";
import { type Arrival, headerLines } from "./arrival.ts";
import { clientOf, refusal } from "./guard.ts";
import { ownAddresses } from "./own-addresses.ts";
import { NO_DEVICES } from "./pages/pairing.ts";

const rules = {
  ...ownAddresses("127.0.0.1", 4777),
  token: "right",
  cookie: "guildhall-4777",
  clock: () => new Date(0),
  devices: NO_DEVICES,
};

function arrival(changes: Partial<Arrival> = {}, ...headers: string[]): Arrival {
  return {
    requestId: "r",
    method: "GET",
    authority: "127.0.0.1:4777",
    path: "/api/roles",
    search: "",
    headers: headerLines(["Host", "127.0.0.1:4777", "Authorization", "Bearer right", ...headers]),
    hasBody: false,
    readBody: () => Promise.reject(new Error("not to be read")),
    ...changes,
  };
}

const withHeaders = (...raw: string[]) => arrival({ headers: headerLines(raw) });
const codeOf = (request: Arrival) => refusal(request, rules)?.code;
const auth = ["Authorization", "Bearer right"];

describe("the Host header", () => {
  test.each(["127.0.0.1:4777", "localhost:4777", "LOCALHOST:4777", "[::1]:4777"])("may say %s", (host) => {
    expect(codeOf(withHeaders("Host", host, ...auth))).toBeUndefined();
  });

  test.each(["attacker.invalid", "localhost.", "localhost", "127.0.0.1:4778", "127.0.0.1.nip.io:4777", "127.1:4777"])(
    "may not say %s",
    (host) => {
      expect(codeOf(withHeaders("Host", host, ...auth))).toBe("wrong_host");
    },
  );

  test("must be there, once, and say something", () => {
    expect(codeOf(withHeaders(...auth))).toBe("malformed");
    expect(codeOf(withHeaders("Host", "", ...auth))).toBe("malformed");
    expect(codeOf(withHeaders("Host", "127.0.0.1:4777", "host", "127.0.0.1:4777", ...auth))).toBe("malformed");
  });

  test("does not let a foreign absolute address in the request line pass", () => {
    expect(codeOf(arrival({ authority: "attacker.invalid" }))).toBe("wrong_host");
  });
});

describe("the names of the daemon", () => {
  test("include the configured one when it is not loopback", () => {
    const own = ownAddresses("hall.example", 4777);
    expect(own.hosts.has("hall.example:4777")).toBe(true);
    expect(own.url).toBe("http://hall.example:4777");
  });

  test("are the machine's addresses, never any name, when bound to all of them", () => {
    const own = ownAddresses("0.0.0.0", 4777, { machine: () => ["192.0.2.7", "2001:db8::7"] });
    expect([...own.hosts].sort()).toEqual([
      "127.0.0.1:4777",
      "192.0.2.7:4777",
      "[2001:db8::7]:4777",
      "[::1]:4777",
      "localhost:4777",
    ]);
    expect(own.url).toBe("http://127.0.0.1:4777");
  });

  test("may leave the port out only where it is the default one", () => {
    expect(ownAddresses("127.0.0.1", 80).hosts.has("localhost")).toBe(true);
    expect(ownAddresses("127.0.0.1", 4777).hosts.has("localhost")).toBe(false);
  });
});

test("TRACE and CONNECT are refused", () => {
  expect(codeOf(arrival({ method: "TRACE" }))).toBe("method_not_allowed");
  expect(codeOf(arrival({ method: "CONNECT" }))).toBe("method_not_allowed");
});

test.each(["/api/projects/%", "/api/projects/%zz", "/api/projects/%ff"])("the path %s is malformed", (path) => {
  expect(codeOf(arrival({ path }))).toBe("malformed");
});

test.each([
  "https://attacker.invalid",
  "http://localhost.attacker.invalid",
  "http://localhost:3000",
  "https://localhost:4777",
  "null",
  "",
])("a page of origin '%s' is refused", (origin) => {
  expect(codeOf(arrival({}, "Origin", origin))).toBe("forbidden");
});

test("a page of our own origin is let in, two origins are not", () => {
  expect(codeOf(arrival({}, "Origin", "http://localhost:4777"))).toBeUndefined();
  expect(codeOf(arrival({}, "Origin", "http://localhost:4777", "Origin", "http://localhost:4777"))).toBe("forbidden");
});

test("a request that a browser calls cross-site is refused", () => {
  expect(codeOf(arrival({}, "Sec-Fetch-Site", "cross-site"))).toBe("forbidden");
  expect(codeOf(arrival({}, "Sec-Fetch-Site", "same-origin"))).toBeUndefined();
});

describe("the content type of a body", () => {
  const posted = (...headers: string[]) => codeOf(arrival({ method: "POST", hasBody: true }, ...headers));

  test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "may be %s",
    (type) => {
      expect(posted("Content-Type", type)).toBeUndefined();
    },
  );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/jsonp",
    "application/json, text/plain",
  ])("may not be %s", (type) => {
    expect(posted("Content-Type", type)).toBe("unsupported_type");
  });

  test("must be given once", () => {
    expect(posted()).toBe("unsupported_type");
    expect(posted("Content-Type", "application/json", "Content-Type", "application/json")).toBe("unsupported_type");
  });
});

describe("a compressed body", () => {
  const sent = (path: string, ...encodings: string[]) =>
    codeOf(
      arrival(
        { method: "POST", hasBody: true, path },
        "Content-Type",
        "application/json",
        ...encodings.flatMap((encoding) => ["Content-Encoding", encoding]),
      ),
    );

  test.each(["/api/tasks", "/hooks/issues"])("is refused at %s", (path) => {
    for (const encoding of ["gzip", "GZIP", "br", "x-gzip", "gzip, identity"])
      expect(sent(path, encoding)).toBe("unsupported_type");
    expect(sent(path, "identity", "gzip")).toBe("unsupported_type");
    expect(sent(path, "Identity")).toBeUndefined();
    expect(sent(path)).toBeUndefined();
  });
});

describe("the token", () => {
  const given = (...headers: string[]) => codeOf(withHeaders("Host", "127.0.0.1:4777", ...headers));

  test.each([
    [[]],
    [["Authorization", "Bearer wrong"]],
    [["Authorization", "Bearer right right"]],
    [["Authorization", "Bearer"]],
    [["Authorization", "Basic right"]],
    [["Authorization", "right"]],
    [["Authorization", "Bearer wrong", "Authorization", "Bearer right"]],
    [["Authorization", "Bearer right", "authorization", "Bearer right"]],
  ])("is missing in %j", (headers) => {
    expect(given(...headers)).toBe("unauthorized");
  });

  test("is needed under /api only, and not to read the health or the docs", () => {
    const bare = (path: string, method = "GET") =>
      codeOf(arrival({ path, method, headers: headerLines(["Host", "localhost:4777"]) }));
    expect(bare("/api")).toBe("unauthorized");
    expect(bare("/api/nothing")).toBe("unauthorized");
    expect(bare("/api/health/")).toBe("unauthorized");
    expect(bare("/api/health", "POST")).toBe("unauthorized");
    expect(bare("/api/health")).toBeUndefined();
    expect(bare("/api/health", "HEAD")).toBeUndefined();
    expect(bare("/api/docs")).toBeUndefined();
    expect(bare("/")).toBeUndefined();
  });

  test("never matches when the daemon has none", () => {
    expect(
      refusal(withHeaders("Host", "localhost:4777", "Authorization", "Bearer "), { ...rules, token: "" })?.code,
    ).toBe("unauthorized");
  });
});

test("the command line says who it is", () => {
  expect(clientOf(arrival({}, "X-Guildhall-Client", "cli"))).toBe("cli");
  expect(clientOf(arrival({}, "X-Guildhall-Client", "daemon"))).toBe("http");
  expect(clientOf(arrival())).toBe("http");
});

describe("plain HTTP", () => {
  test.each([
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.20",
    "100.101.102.103",
    "fd7a:115c:a1e0::1",
    "fe80::1%eth0",
  ])("may come from %s", (remote) => {
    expect(codeOf(arrival({ remote, isTls: false }))).toBeUndefined();
  });

  test.each(["8.8.8.8", "172.32.0.1", "::ffff:8.8.8.8", "2001:db8::1", "100.128.0.1", ""])(
    "may not come from '%s', whatever a header says of the way, and TLS may",
    (remote) => {
      expect(codeOf(arrival({ remote, isTls: false }))).toBe("plain_http");
      const forwarded = ["X-Forwarded-Proto", "https", "X-Forwarded-For", "127.0.0.1", "Forwarded", "proto=https"];
      expect(codeOf(arrival({ remote, isTls: false }, ...forwarded))).toBe("plain_http");
      expect(codeOf(arrival({ remote, isTls: true }))).toBeUndefined();
    },
  );
});
