/** Unit prices in cents. */
const PRICES = new Map([
  ["bread", 320],
  ["coffee", 899],
  ["jam", 450],
  ["cheese", 1290],
  ["basket", 2400],
]);

export function priceOf(sku) {
  const cents = PRICES.get(sku);
  if (cents === undefined) throw new Error(`Unknown product: ${sku}.`);
  return cents;
}
