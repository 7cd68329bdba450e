import assert from "node:assert/strict";
import { test } from "node:test";
import { euros } from "../src/money.js";

test("shows cents with two digits", () => {
  assert.equal(euros(1290), "12.90 €");
  assert.equal(euros(5), "0.05 €");
});

test("keeps the sign of a refund", () => {
  assert.equal(euros(-320), "-3.20 €");
});
