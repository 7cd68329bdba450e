import { describe, expect, it } from "vitest";
import { EventReader } from "./event-reader.ts";

function dataIn(text: string, size = Number.POSITIVE_INFINITY): string[] {
  const data: string[] = [];
  const reader = new EventReader((each) => data.push(each));
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size));
  return data;
}

describe("a reader of events", () => {
  const stream =
    '\ufeff: a comment\nevent: x\nid: 7\ndata: {"a":"ü漢🦉"}\n\ndata:first\r\ndata: second\r\n\r\ndata:  kept\r\rretry: 3\n\n';

  it.each([Number.POSITIVE_INFINITY, 1, 2, 3, 7])("hands on data cut into pieces of %d bytes", (size) => {
    expect(dataIn(stream, size)).toEqual(['{"a":"ü漢🦉"}', "first\nsecond", " kept"]);
  });

  it("hands on no event that has not ended", () => {
    expect(dataIn("data: whole\n\ndata: half")).toEqual(["whole"]);
    expect(dataIn("data: half\n")).toEqual([]);
  });

  it("hands on events with no data as nothing, and empty data as such", () => {
    expect(dataIn("event: ping\n\ndata\n\ndata:\n\n")).toEqual([""]);
  });
});
