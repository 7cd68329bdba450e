interface Node {
  key: string;
  dependsOn: readonly string[];
}

/**
 * Each after all that it waits for; what waits for itself, which no checked plan has, comes last. Keys that no task has are passed
 * over.
 */
export function planOrder(tasks: readonly Node[]): string[] {
  const waiting = new Map(tasks.map(({ key }) => [key, 0]));
  const dependents = new Map<string, string[]>();
  for (const { key, dependsOn } of tasks)
    for (const before of new Set(dependsOn)) {
      if (!waiting.has(before)) continue;
      waiting.set(key, (waiting.get(key) ?? 0) + 1);
      const known = dependents.get(before);
      if (known === undefined) dependents.set(before, [key]);
      else known.push(key);
    }
  const order = tasks.filter(({ key }) => waiting.get(key) === 0).map(({ key }) => key);
  for (const key of order)
    for (const after of dependents.get(key) ?? []) {
      const left = (waiting.get(after) ?? 0) - 1;
      waiting.set(after, left);
      if (left === 0) order.push(after);
    }
  const done = new Set(order);
  return [...order, ...tasks.filter(({ key }) => !done.has(key)).map(({ key }) => key)];
}

/** How many tasks come before each at least, one after the other. Tasks of the same depth do not wait for each other. */
export function depthsOf(tasks: readonly Node[]): Map<string, number> {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const depths = new Map<string, number>();
  for (const key of planOrder(tasks)) {
    const before = byKey.get(key)?.dependsOn ?? [];
    depths.set(
      key,
      before.reduce((most, one) => Math.max(most, (depths.get(one) ?? -1) + 1), 0),
    );
  }
  return depths;
}
