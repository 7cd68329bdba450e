import * as Radix from "@radix-ui/react-dropdown-menu";
import { useRef } from "react";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { MoveItems, menuItem } from "../task/move-menu.tsx";

export interface MenuAt {
  card: TaskCard;
  box: DOMRect;
}

interface CardMenuProps extends MenuAt {
  isAtWork: boolean;
  onMove: (to: TaskStatus) => void;
  onOpen: () => void;
  onSpawn: () => void;
  onTeam: () => void;
  onStop: () => void;
  onClose: () => void;
}

/** One menu for all cards of a board: a menu for each would be thousands. */
export function CardMenu({ card, box, isAtWork, onMove, onOpen, onSpawn, onTeam, onStop, onClose }: CardMenuProps) {
  const { x: left, y: top, width, height } = box;
  const isFresh = useRef(true);
  return (
    <Radix.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Trigger asChild>
        <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={`Actions for ${card.id}`}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // It opens without a key of its own, and would begin with nothing chosen.
          onFocus={({ target, currentTarget }) => {
            if (!isFresh.current || target !== currentTarget) return;
            isFresh.current = false;
            currentTarget.querySelector<HTMLElement>("[role=menuitem]")?.focus();
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-50 max-h-96 w-56 overflow-y-auto rounded-lg border border-line bg-card p-1 shadow-lg"
        >
          <MoveItems status={card.status} label={`Move ${card.id} to`} onMove={onMove} />
          <Radix.Separator className="my-1 h-px bg-line" />
          <Radix.Item className={menuItem} onSelect={onOpen}>
            Open <kbd className="ml-auto text-xs text-faint">Enter</kbd>
          </Radix.Item>
          <Radix.Item className={menuItem} onSelect={onSpawn}>
            Start an agent <kbd className="ml-auto text-xs text-faint">s</kbd>
          </Radix.Item>
          <Radix.Item className={menuItem} onSelect={onTeam}>
            Start a team
          </Radix.Item>
          {isAtWork && (
            <Radix.Item className={`${menuItem} text-bad`} onSelect={onStop}>
              Stop agent <kbd className="ml-auto text-xs text-faint">x</kbd>
            </Radix.Item>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
