import type { KeyboardEvent } from "react";

/** What the list of choices has to know of the field above it. */
export interface ChoosingProps {
  typed: string;
  /** The id of the list; options are this, a dash and their number. */
  list: string;
  /** Enter was pressed: the active choice is taken as soon as there is one. */
  isEntered: boolean;
  /** Hears the keys of the field; true: taken. */
  keys: { current: ((event: KeyboardEvent) => boolean) | undefined };
  onActive: (option: string | undefined) => void;
  onClose: () => void;
}
