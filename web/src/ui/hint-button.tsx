import { Link } from "@tanstack/react-router";
import { type Hint, hintWords } from "../../../src/contract/words/hint.ts";
import { type ButtonLook, buttonLook } from "./button.tsx";

/** The page that does what a hint says, as a button; nothing where no page does. */
export function HintButton({ of, ...look }: { of: Hint } & ButtonLook) {
  const { page } = hintWords(of);
  if (page === undefined) return null;
  return (
    <Link to={page.path} search={page.search ?? {}} className={buttonLook(look)}>
      {page.label}
    </Link>
  );
}
