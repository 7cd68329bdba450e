import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRequirements, requirementsIn } from "./requirements.ts";

describe("the requirements of a spec", () => {
  it("[S1-QG-09] are headings, list items and rows that begin with an id", () => {
    const spec = `# Cart

REQ-009 is only mentioned here, like REQ-001.

## REQ-001: Totals (high)
The total of a cart.

### Acceptance criteria
- An empty cart has a total of 0.
- [ ] Totals are in cents.

## Others
- **REQ-002** — Remove items
  - Priority: critical
  - An item can be removed.
* REQ-CART-003: Undo
| REQ-004 | Prices | low |
| REQ-005 | Taxes |

\`\`\`
## REQ-006: an example
\`\`\`
- REQ-001: said again
`;
    expect(parseRequirements(spec)).toEqual([
      {
        ...{ id: "REQ-001", title: "Totals", priority: "high", line: 5 },
        criteria: ["An empty cart has a total of 0.", "Totals are in cents."],
      },
      { id: "REQ-002", title: "Remove items", priority: "critical", criteria: ["An item can be removed."], line: 13 },
      { id: "REQ-CART-003", title: "Undo", priority: "medium", criteria: [], line: 16 },
      { id: "REQ-004", title: "Prices", priority: "low", criteria: [], line: 17 },
      { id: "REQ-005", title: "Taxes", priority: "medium", criteria: [], line: 18 },
    ]);
  });

  it("are found with Windows line ends, and in no text at all", () => {
    expect(parseRequirements("# x\r\n## REQ-001: A\r\n- b\r\n").map(({ id, criteria }) => [id, criteria])).toEqual([
      ["REQ-001", ["b"]],
    ]);
    expect(parseRequirements("")).toEqual([]);
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseRequirements(text))));
  });

  it("are named once each in a text, and not inside of other words", () => {
    expect(requirementsIn("REQ-001, (REQ-002) req-003 REQ-001 XREQ-004 REQ-12")).toEqual([
      "REQ-001",
      "REQ-002",
      "REQ-12",
    ]);
  });
});
