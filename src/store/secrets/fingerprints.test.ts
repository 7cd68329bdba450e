import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { FingerprintedValues, fingerprintsOf, LiveFingerprints } from "./fingerprints.ts";
import { Redactor } from "./redaction.ts";

const salt = Buffer.alloc(32, 7);
const secrets = [
  { name: "DEPLOY", value: "fluffy/Cat+9=z" },
  { name: "DEPLOY_2", value: "fluffy/Cat+9=z-and-more" },
  { name: "WORDS", value: "umbrella stand in the hall" },
  { name: "SHORT", value: "sixsix" },
];
const fingerprints = fingerprintsOf(secrets, salt);

describe("secrets known by their fingerprints", () => {
  const redactor = new Redactor([], new LiveFingerprints(fingerprints));

  it("are hidden wherever they stand, the longest first, and in JSON, addresses and base64", () => {
    expect(redactor.text("xfluffy/Cat+9=zx")).toBe("x[secret: DEPLOY]x");
    expect(redactor.text("fluffy/Cat+9=z-and-more")).toBe("[secret: DEPLOY_2]");
    expect(redactor.text("fluffy/Cat+9=z twice fluffy/Cat+9=z")).toBe("[secret: DEPLOY] twice [secret: DEPLOY]");
    expect(redactor.text(`?q=${encodeURIComponent("fluffy/Cat+9=z")}`)).toBe("?q=[secret: DEPLOY]");
    expect(redactor.text(Buffer.from("fluffy/Cat+9=z").toString("base64"))).toContain("[secret: DEPLOY]");
    expect(redactor.text("fluffy/Cat+9=y fluffy/Cat+9= sixsix")).toBe("fluffy/Cat+9=y fluffy/Cat+9= sixsix");
    const far = `${"ä漢b ".repeat(30_000)}fluffy/Cat+9=z`;
    expect(redactor.text(far)).toBe(far.replace("fluffy/Cat+9=z", "[secret: DEPLOY]"));
  });

  it("are not in what is told of them", () => {
    const told = JSON.stringify(fingerprints);
    for (const { value } of secrets) for (const part of [value, value.slice(0, 6)]) expect(told).not.toContain(part);
    expect(fingerprintsOf(secrets, Buffer.alloc(32, 8)).values[0]).not.toEqual(fingerprints.values[0]);
  });

  it("are hidden in a stream wherever it is cut, once it has their first eight characters", () => {
    const text = "It is fluffy/Cat+9=z-and-more and umbrella stand in the hall, they say.";
    for (let size = 1; size < text.length; size++) {
      const stream = redactor.stream();
      let shown = "";
      for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
      expect(shown + stream.end()).toBe(redactor.text(text));
    }
  });

  it("take a few milliseconds for each megabyte", () => {
    const values = new FingerprintedValues(fingerprints);
    const text = "export const total = items.map(({ price }) => price * 2);\n".repeat(17_000);
    const times = Array.from({ length: 5 }, () => {
      const computed = cpuTimer();
      values.hide(text);
      return computed();
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
