import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffectEvent, useLayoutEffect } from "react";
import { code, isOutdated } from "../api/code.ts";
import { useLiveState } from "../live/use-live.ts";
import { keepTyping, stopKeeping } from "../shell/typed-ahead.ts";
import { Button } from "./button.tsx";
import { Away, Loading, Trouble } from "./states.tsx";

/** Stands for a page, or a part of one, whose code is on its way or waits for the daemon. */
export function Coming() {
  return useLiveState() === "away" ? <Away /> : <Loading />;
}

interface Closable {
  onClose: () => void;
}

/** A dialog whose code comes when it is first opened. When it does not, a notice says why, and the page stays as it is. */
export function laterDialog<Props extends Closable>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Dialog = lazy(code(load)) as unknown as ComponentType<Props>;
  return (props: Props) => (
    <Caught
      instead={(error) => (
        <Notice onClose={props.onClose}>
          <Trouble error={error} />
        </Notice>
      )}
    >
      <Suspense fallback={<ComingDialog onClose={props.onClose} />}>
        <Dialog {...props} />
      </Suspense>
    </Caught>
  );
}

function ComingDialog({ onClose }: Closable) {
  if (useLiveState() !== "away") return <KeepsTyping onClose={onClose} />;
  return (
    <Notice onClose={onClose}>
      <Away />
    </Notice>
  );
}

/** Stands for a dialog that is on its way: typed letters are kept for its first field. */
export function KeepsTyping({ onClose }: Closable) {
  const close = useEffectEvent(onClose);
  useLayoutEffect(() => keepTyping(() => close()), []);
  return null;
}

/** Without the code of dialogs, which may be what is missing. */
function Notice({ onClose, children }: Closable & { children: ReactNode }) {
  useLayoutEffect(stopKeeping, []);
  return (
    <div className="fixed inset-x-4 top-16 z-50 mx-auto flex max-w-xl flex-col items-end gap-2 rounded-lg border border-line bg-card p-3 shadow-lg">
      <div className="w-full">{children}</div>
      <Button size="small" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}

interface CaughtProps {
  instead: (error: unknown) => ReactNode;
  children: ReactNode;
}

/** Catches that code is not to be had, and nothing else. */
class Caught extends Component<CaughtProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!isOutdated(error)) throw error;
    return this.props.instead(error);
  }
}
