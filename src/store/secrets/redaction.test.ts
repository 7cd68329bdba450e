// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates are among what must stay as it is
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { markIn, Redactor } from "./redaction.ts";

const plain = new Redactor([]);
const R = (character: string, times: number) => character.repeat(times);

/** Made up, each in the form of its kind. */
const SECRETS: Record<string, string> = {
  anthropic: `sk-ant-api03-${R("Qq7", 30)}`,
  "anthropic in a file name": "sk-ant-api03-KANARIE",
  openai: `sk-proj-${R("aB3_", 12)}`,
  "openai, old": `sk-${R("k9Z", 16)}`,
  github: `ghp_KANARIE${R("c", 30)}`,
  "github, fine-grained": `github_pat_${R("11AB_", 8)}`,
  "aws id": "AKIAKANARIE000000000",
  slack: "xoxb-KANARIE-000-fff",
  google: `AIzaKANARIE${R("h", 30)}`,
  stripe: `sk_live_${R("51Hx", 6)}`,
  jwt: "eyJhbGciOiJub25lIn0.eyJLQU5BUklFIjoxfQ.sig",
  npm: `npm_${R("aB1x", 9)}`,
  sendgrid: `SG.${R("ab1_", 5)}.${R("cd2-", 10)}`,
};

describe("shapes of secrets", () => {
  for (const [kind, secret] of Object.entries(SECRETS))
    it(`are hidden wherever they stand: ${kind}`, () => {
      expect(plain.text(secret)).toBe("[secret]");
      for (const around of [`x = "${secret}"`, `(${secret})`, `the key ${secret}, see above`, `a/b:12: ${secret}\n`])
        expect(plain.text(around)).toBe(around.replace(secret, "[secret]"));
    });

  it("are hidden in JSON and in the query of an address, by the name before them", () => {
    expect(plain.text('{"user":"pat","password":"KANARIEpass9"}')).toBe('{"user":"pat","password":"[secret]"}');
    expect(plain.text('{"apiKey": "kanarie-7"}')).toBe('{"apiKey": "[secret]"}');
    expect(plain.json('{"text":"{\\"token\\":\\"KANARIE-x\\"}"}')).not.toContain("KANARIE");
    expect(plain.text("GET https://a.example/v1?page=2&api_key=kanarie88&x=1")).toBe(
      "GET https://a.example/v1?page=2&api_key=[secret]&x=1",
    );
    expect(plain.text("https://a.example/?X-Amz-Signature=0a1b2c3d4e5f")).toBe(
      "https://a.example/?X-Amz-Signature=[secret]",
    );
    const readable = [
      '{"password":"string","token":"access_token","secret":"PASSWORD_RESET"}',
      '{"passwordLabel":"Kennwort eingeben","tokenType":"identifier"}',
      "https://a.example/?sortkey=CreatedAt2&monkey=abcdefgh1&token=refresh-token",
      "const token = items[key];",
      "?token=YOUR_TOKEN_HERE1",
    ];
    for (const text of readable) expect(plain.text(text)).toBe(text);
  });

  it("keep what is not secret of addresses, headers and assignments", () => {
    expect(plain.text("postgres://user:KANARIEPASS@db.example/x")).toBe("postgres://user:[secret]@db.example/x");
    expect(plain.text(`Authorization: Bearer KANARIE${R("j", 30)}`)).toBe("Authorization: Bearer [secret]");
    expect(plain.text("authorization: Basic dXNlcjpwYXNz")).toBe("authorization: Basic [secret]");
    expect(plain.text("API_KEY='KANARIE KEY'")).toBe("API_KEY=[secret]");
    expect(plain.text("export DB_PASSWORD=correct-Horse-7\nPORT=3000")).toBe("export DB_PASSWORD=[secret]\nPORT=3000");
    expect(plain.text('"token": "f81d4fae7dec11d0a76500a0"')).toBe('"token": "[secret]"');
    expect(plain.text(`aws_secret_access_key = ${R("wJalrXUtn+", 4)}`)).toBe("aws_secret_access_key = [secret]");
  });

  it("cover a private key, whole, cut off or with line numbers", () => {
    const body = `${R("MIIEvQIBADANBg", 4)}\n${R("kqhkiG9w0BAQEF", 4)}\n`;
    const whole = `a\n-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\nb`;
    expect(plain.text(whole)).toBe("a\n[secret]\nb");
    expect(plain.text(`-----BEGIN PRIVATE KEY-----\n${body}`)).toBe("[secret]");
    const removed = whole.replaceAll("\n", "\n-");
    expect(plain.text(removed), "lines that a diff removes").toBe("a\n-[secret]\n-b");
    expect(plain.text(`1\t-----BEGIN PRIVATE KEY-----\n2\t${body.replace("\n", "\n3\t")}`)).toBe("1\t[secret]");
  });

  it("leave alone what only looks random, and code about secrets", () => {
    const harmless = [
      "9fa420f1c0ffee00112233445566778899aabbcc",
      "550e8400-e29b-41d4-a716-446655440000",
      `data:image/png;base64,${R("iVBORw0KGgoAAAANSUhEUgAA", 20)}`,
      `"integrity": "sha512-${R("q1W2e3R4", 10)}=="`,
      "const API_KEY = process.env.API_KEY;",
      "API_KEY=process.env.API_KEY",
      "STRIPE_SECRET=${STRIPE_SECRET}",
      "API_KEY=your-key-here",
      "SORT_KEY=createdAt",
      '<div class="sk-folding-cube-with-a-long-name">',
      'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) parse(text);',
      'password: "must be at least eight characters"',
      "http://localhost:3000/@scope/package",
      "postgres://${user}:${password}@host/db",
      "git@github.com:owner/repo.git",
      "The bearer authentication is described below",
    ];
    for (const text of harmless) expect(plain.text(text)).toBe(text);
  });

  it("hide nothing more the second time", () => {
    const text = `${Object.values(SECRETS).join(" ")} API_KEY='KANARIE KEY' https://a:bcdef@h/ Bearer ${R("t0K", 9)}`;
    expect(plain.text(plain.text(text))).toBe(plain.text(text));
  });
});

describe("known values", () => {
  const redactor = new Redactor([
    { name: "DB_PASS", value: "correct horse 7" },
    { name: "LONG", value: "correct horse 7 battery" },
    { name: "odd name]\n", value: 'quo"te-d-value' },
    { name: "WORD", value: "secret" },
  ]);

  it("are replaced by their names, the longest first, in JSON, addresses and base64 as well", () => {
    expect(redactor.text("a correct horse 7 b")).toBe("a [secret: DB_PASS] b");
    expect(redactor.text("correct horse 7 battery")).toBe("[secret: LONG]");
    expect(redactor.text("?p=correct%20horse%207")).toBe("?p=[secret: DB_PASS]");
    expect(redactor.text(JSON.stringify({ a: 'quo"te-d-value' }))).toBe('{"a":"[secret: oddname]"}');
    expect(redactor.text(Buffer.from("correct horse 7").toString("base64"))).toContain("[secret: DB_PASS]");
    expect(markIn(redactor.text("x correct horse 7"))).toBe("[secret: DB_PASS]");
  });

  it("that stand in the mark itself do not grow", () => {
    expect(redactor.text("a secret [secret]")).toBe("a secret [secret]");
  });

  it("are hidden in every text of a value, which stays the same one when there is none", () => {
    const value = { a: ["correct horse 7", { b: "correct horse 7" }], n: 1, none: null };
    expect(redactor.deep(value)).toEqual({ a: ["[secret: DB_PASS]", { b: "[secret: DB_PASS]" }], n: 1, none: null });
    const clean = { a: ["x"], b: 2 };
    expect(redactor.deep(clean)).toBe(clean);
    const escaped = JSON.stringify({ a: `x\n${SECRETS.openai}`, b: "\u0001" }).replace("\\n", "\\u000a");
    expect(JSON.parse(redactor.json(escaped))).toEqual({ a: "x\n[secret]", b: "\u0001" });
    expect(redactor.text(JSON.stringify({ a: `x\n${SECRETS.openai}` }))).toBe('{"a":"x\\n[secret]"}');
    expect(JSON.parse(redactor.json('{"a":"quo\\"te-d-value"}'))).toEqual({ a: "[secret: oddname]" });
  });
});

describe("a stream", () => {
  const redactor = new Redactor([{ name: "PASS", value: "correct horse 7" }]);
  const texts = [
    `Here it is: ${SECRETS.anthropic} and more.`,
    "The password is correct horse 7, they say.",
    `Authorization: Bearer KANARIE${R("j", 30)} end`,
    "API_KEY='KANARIE KEY' and so on",
    `-----BEGIN PRIVATE KEY-----\n${R("MIIEvQIBADANBg\n", 4)}-----END PRIVATE KEY-----\nafter`,
    "postgres://user:KANARIEPASS@db.example/x is where",
  ];

  it("never shows a part of a secret, wherever it is cut", () => {
    for (const text of texts)
      for (let size = 1; size < text.length; size++) {
        const stream = redactor.stream();
        let shown = "";
        for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
        expect(shown + stream.end()).toBe(redactor.text(text));
      }
  });

  it("shows ordinary words as they come", () => {
    const stream = redactor.stream();
    expect(stream.push("One two thr")).toBe("One two ");
    expect(stream.push("ee four ")).toBe("three four ");
  });
});

describe("the time it takes", () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ name: `N${at}`, value: `value-${at}-${R("z", at % 7)}q` }));
  const redactor = new Redactor(many);
  const megabyte = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length)).slice(0, 1_000_000);
  const best = (text: string) => {
    const times = [1, 2, 3, 4, 5].map(() => {
      const computed = cpuTimer();
      redactor.text(text);
      return computed();
    });
    return Math.min(...times);
  };

  it("is short for a megabyte of code", () => {
    const code = 'export const total = items.filter((item) => item.key !== "none").map(({ price }) => price * 2);\n';
    const took = best(megabyte(code));
    expect(took).toBeLessThan(200);
  });

  it("grows with the length only, whatever the text", () => {
    const nasty = [
      "sk-",
      "eyJ",
      "eyJaaaaaaaa.",
      "-----BEGIN PRIVATE KEY-----",
      "://a:",
      "://",
      "key:'",
      "KEY=",
      "AKIA",
      "Bearer ",
      "value-",
      'token\\"',
      "SG.aaaaaaaaaaaaaaaaaaaa.",
      "a",
      "secret_access_key=",
      "?token=",
      "&key=",
      '"token":"',
      " ",
    ];
    for (const piece of nasty) {
      const took = best(megabyte(piece).slice(0, 200_000));
      expect(took, piece).toBeLessThan(500);
    }
  });
});
