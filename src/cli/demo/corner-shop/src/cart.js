import { priceOf } from "./prices.js";

const CODES = new Map([
  ["AUTUMN10", 10],
  ["FRIENDS20", 20],
]);

export function createCart() {
  return { lines: [], percentOff: 0 };
}

export function add(cart, sku, quantity = 1) {
  priceOf(sku);
  const line = cart.lines.find((each) => each.sku === sku);
  if (line === undefined) cart.lines.push({ sku, quantity });
  else line.quantity += quantity;
}

/** Replaces a code that was entered before. */
export function enterCode(cart, code) {
  const percent = CODES.get(code.trim().toUpperCase());
  if (percent === undefined) throw new Error(`Unknown discount code: ${code}.`);
  cart.percentOff = percent;
}

/** Price of the goods after the discount, in cents. */
export function total(cart) {
  const sum = cart.lines.reduce((cents, line) => cents + lineTotal(line, cart.percentOff), 0);
  return sum - Math.round((sum * cart.percentOff) / 100);
}

function lineTotal({ sku, quantity }, percentOff) {
  const cents = priceOf(sku) * quantity;
  return cents - Math.round((cents * percentOff) / 100);
}
