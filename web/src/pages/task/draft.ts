/** What a person is typing into one field, and what stood there when they began. Others' changes never overwrite it. */
export interface Draft<Value> {
  base: Value;
  mine: Value;
}

export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function isDirty<Value>({ base, mine }: Draft<Value>): boolean {
  return !isSame(base, mine);
}

/** Somebody else has changed the field meanwhile, to something else than what is being typed. */
export function isContested<Value>(draft: Draft<Value>, live: Value): boolean {
  return !isSame(draft.base, live) && !isSame(draft.mine, live);
}

/** Kept while the page is open, so that closing the drawer loses nothing. */
const kept = new Map<string, Draft<unknown>>();

export function keptDraft<Value>(key: string): Draft<Value> | undefined {
  return kept.get(key) as Draft<Value> | undefined;
}

export function keepDraft(key: string, draft: Draft<unknown> | undefined): void {
  if (draft === undefined || !isDirty(draft)) kept.delete(key);
  else kept.set(key, draft);
}
