import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editJsonMembers } from "./json-edit.ts";

describe("editing members of a JSON text", () => {
  it("replaces a value and leaves every other byte as it is", () => {
    const text = '\ufeff{ "a" : 1,\r\n\t"b":[1,  2], "c": {"a": 5} }\n\n';
    expect(editJsonMembers(text, { a: "x" })).toBe(text.replace(": 1", ': "x"'));
    expect(editJsonMembers(text, { c: null })).toBe(text.replace('{"a": 5}', "null"));
  });

  it("removes members with their comma, wherever they are", () => {
    const text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
    expect(editJsonMembers(text, { a: undefined })).toBe('{\n  "b": 2,\n  "c": 3\n}\n');
    expect(editJsonMembers(text, { c: undefined })).toBe('{\n  "a": 1,\n  "b": 2\n}\n');
    expect(editJsonMembers(text, { b: undefined, c: undefined })).toBe('{\n  "a": 1\n}\n');
    expect(JSON.parse(editJsonMembers(text, { a: undefined, b: undefined, c: undefined }))).toEqual({});
  });

  it("adds members last, indented as the others are", () => {
    expect(editJsonMembers('{\n    "a": 1\n}\n', { b: { c: 2 } })).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": 2\n    }\n}\n',
    );
    expect(editJsonMembers("{}", { a: 1 })).toBe('{\n  "a": 1\n}');
    expect(JSON.parse(editJsonMembers('{"a":1}', { b: 2 }))).toEqual({ a: 1, b: 2 });
  });

  it("makes of any object what was asked for, in any layout", () => {
    const key = fc.constantFrom("a", "b", "c", "d", 'q"{', "\\", "");
    const objects = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
    const changes = fc.dictionary(key, fc.option(fc.jsonValue(), { nil: undefined }), { noNullPrototype: true });
    fc.assert(
      fc.property(objects, changes, fc.constantFrom(undefined, 2, 4, "\t"), (before, changed, indent) => {
        const after = editJsonMembers(JSON.stringify(before, null, indent), changed);
        const wanted = JSON.parse(JSON.stringify({ ...before, ...changed })) as Record<string, unknown>;
        expect(JSON.parse(after)).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });
});
