import { expect, test } from "vitest";
import { HallError } from "../../contract/errors.ts";
import { decodeJsonObject } from "./json-body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function codeOf(body: string | Uint8Array): string {
  try {
    decodeJsonObject(typeof body === "string" ? bytes(body) : body);
    return "accepted";
  } catch (error) {
    return error instanceof HallError ? error.code : String(error);
  }
}

test("an object is decoded, a byte order mark before it is dropped", () => {
  expect(decodeJsonObject(bytes('{"title":"ü","n":[1,{"a":null}]}'))).toEqual({ title: "ü", n: [1, { a: null }] });
  expect(decodeJsonObject(bytes('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test.each(["", "null", "[]", '"text"', "7", "{", '{"a":1}x', "{'a':1}", '{"a":NaN}'])("%j is malformed", (body) => {
  expect(codeOf(body)).toBe("malformed");
});

test("bytes that are not UTF-8 are malformed", () => {
  expect(codeOf(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).toBe("malformed");
});

test("nesting is counted up to 64, outside of texts only", () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  expect(codeOf(nested(64))).toBe("accepted");
  expect(codeOf(nested(65))).toBe("malformed");
  expect(codeOf(`{"a":"\\"${"[{".repeat(500)}"}`)).toBe("accepted");
});

test("millions of levels are refused before they are parsed", () => {
  expect(() => decodeJsonObject(bytes("[".repeat(5_000_000)))).toThrow("nested deeper than 64 levels");
});

test.each(['{"__proto__":{"admin":1}}', '{"a":[{"b":{"__proto__":1}}]}', '{"\\u005f_proto__":1}'])(
  "the key __proto__ is invalid wherever it stands: %s",
  (body) => {
    expect(codeOf(body)).toBe("invalid");
  },
);
