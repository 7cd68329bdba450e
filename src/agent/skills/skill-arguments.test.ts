import { describe, expect, it } from "vitest";
import { withArguments } from "./skill-arguments.ts";

describe("the arguments of a skill", () => {
  it.each([
    ["Fix $ARGUMENTS now", "issue 7", "Fix issue 7 now"],
    ["$1 then $2, $1", "a 'b c' d", "a then b c, a"],
    ["$2", "a", ""],
    ["costs $10 and $ARGUMENTSX", "a", "costs $10 and $ARGUMENTSX\n\nArguments: a"],
    ["No place", "a b", "No place\n\nArguments: a b"],
    ["awk '{print $1}'", undefined, "awk '{print $1}'"],
    ["Fix $ARGUMENTS", "", "Fix "],
    ["$ARGUMENTS", "$1 $& $$ $ARGUMENTS", "$1 $& $$ $ARGUMENTS"],
  ])("in %j with %j make %j", (body, given, filled) => {
    expect(withArguments(body, given)).toBe(filled);
  });
});
