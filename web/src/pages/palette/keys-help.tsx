import { showPanel } from "../../shell/panels.ts";
import { SHORTCUTS } from "../../shell/shortcuts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyCaps } from "./key-caps.tsx";

export default function KeysHelp() {
  return (
    <Dialog title="Keyboard shortcuts" look="wide" onClose={() => showPanel(undefined)}>
      <div className="columns-1 gap-8 sm:columns-2 lg:columns-3">
        {SHORTCUTS.map(({ title, shortcuts }) => (
          <section key={title} aria-label={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-sm font-semibold">{title}</h3>
            <dl>
              {shortcuts.map(({ shown, does }) => (
                <div
                  key={shown}
                  className="flex items-center justify-between gap-3 border-b border-line py-1.5 text-sm last:border-b-0"
                >
                  <dt>{does}</dt>
                  <dd>
                    <KeyCaps keys={shown} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="text-xs text-faint">Single-key shortcuts are off while you type in a field.</p>
    </Dialog>
  );
}
