import assert from "node:assert/strict";
import { test } from "node:test";
import { add, createCart, enterCode, total } from "../src/cart.js";

function cartOf(...articles) {
  const cart = createCart();
  for (const [sku, quantity] of articles) add(cart, sku, quantity);
  return cart;
}

test("an empty cart costs nothing", () => {
  assert.equal(total(createCart()), 0);
});

test("articles are added up", () => {
  assert.equal(total(cartOf(["bread", 2], ["jam", 1])), 1090);
});

test("the same article twice is one line", () => {
  const cart = cartOf(["coffee", 1], ["coffee", 2]);
  assert.deepEqual(cart.lines, [{ sku: "coffee", quantity: 3 }]);
});

test("a discount code takes its percentage off once", () => {
  const cart = cartOf(["bread", 2]);
  enterCode(cart, "friends20");
  assert.equal(total(cart), 512);
});

test("a code that nobody gave out is refused", () => {
  assert.throws(() => enterCode(createCart(), "FREE"), /no discount code/);
});
