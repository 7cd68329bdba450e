import assert from "node:assert/strict";
import { test } from "node:test";
import { add, createCart, enterCode, total } from "../src/cart.js";

function cartOf(...products) {
  const cart = createCart();
  for (const [sku, quantity] of products) add(cart, sku, quantity);
  return cart;
}

test("an empty cart costs nothing", () => {
  assert.equal(total(createCart()), 0);
});

test("adds up products", () => {
  assert.equal(total(cartOf(["bread", 2], ["jam", 1])), 1090);
});

test("merges the same product into one line", () => {
  const cart = cartOf(["coffee", 1], ["coffee", 2]);
  assert.deepEqual(cart.lines, [{ sku: "coffee", quantity: 3 }]);
});

test("applies a discount code only once", () => {
  const cart = cartOf(["bread", 2]);
  enterCode(cart, "friends20");
  assert.equal(total(cart), 512);
});

test("rejects an unknown code", () => {
  assert.throws(() => enterCode(createCart(), "FREE"), /Unknown discount code/);
});
