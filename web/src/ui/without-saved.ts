/** What a person typed into a form, less what was just saved: what they typed meanwhile stays. */
export function withoutSaved<Typed extends object>(typed: Typed, saved: Partial<Typed>): Typed {
  const left = Object.entries(typed).filter(([key, value]) => saved[key as keyof Typed] !== value);
  return Object.fromEntries(left) as Typed;
}
