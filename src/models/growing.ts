/**
 * What is made of a list that grows in place, as a conversation does from turn to turn: each item is looked at once,
 * however often the list is asked about. A list that was changed otherwise is gone through again.
 */
export function growing<Item extends object, Made>(
  begin: () => Made,
  add: (made: Made, item: Item) => Made,
): (items: readonly Item[]) => Made {
  const known = new WeakMap<readonly Item[], { count: number; last: Item | undefined; made: Made }>();
  return (items) => {
    let of = known.get(items);
    if (of === undefined || of.count > items.length || items[of.count - 1] !== of.last) {
      of = { count: 0, last: undefined, made: begin() };
      known.set(items, of);
    }
    for (const item of items.slice(of.count)) {
      of.made = add(of.made, item);
      of.last = item;
      of.count++;
    }
    return of.made;
  };
}
