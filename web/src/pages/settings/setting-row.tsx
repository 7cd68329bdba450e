import { useState } from "react";
import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { SettingEditor } from "./setting-editor.tsx";
import { valueText } from "./setting-groups.ts";

interface RowProps {
  /** One, or some of a section. */
  shown: readonly Setting[];
  /** Everything that is edited with them. */
  settings: readonly Setting[];
  etag: string;
}

const LOOK = "grid gap-x-4 gap-y-1 px-4 py-2 sm:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]";

/** A setting, or those of a section: value, what it does, and how it is changed. */
export function SettingRow({ shown, settings, etag }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const [first] = settings;
  if (first === undefined) return null;
  const name = settings.length === 1 ? first.key : (first.section ?? first.key);
  const edit = (
    <Button size="small" className="ml-auto" aria-label={`Edit ${name}`} onClick={() => setOpen(true)}>
      Edit
    </Button>
  );
  const editor = <SettingEditor settings={settings} name={name} etag={etag} onClose={() => setOpen(false)} />;
  if (settings.length === 1)
    return (
      <div className={`${LOOK} border-b border-line text-sm last:border-b-0`}>
        <About setting={first} />
        <dd className="flex min-w-0 flex-col gap-2">{isOpen ? editor : <Value setting={first} edit={edit} />}</dd>
      </div>
    );
  return (
    <div className="border-b border-line text-sm last:border-b-0">
      {isOpen && (
        <div className="flex flex-col gap-2 px-4 py-3">
          <code>{name}</code>
          {editor}
        </div>
      )}
      {!isOpen &&
        shown.map((setting, at) => (
          <div key={setting.key} className={LOOK}>
            <About setting={setting} />
            <dd className="min-w-0">
              <Value setting={setting} edit={at === 0 && edit} />
            </dd>
          </div>
        ))}
    </div>
  );
}

function About({ setting: { key, about, restart } }: { setting: Setting }) {
  return (
    <dt>
      <code>{key}</code>
      <span className="block text-xs text-faint">
        {about} {restart && "Takes effect after a restart."}
      </span>
    </dt>
  );
}

function Value({ setting, edit }: { setting: Setting; edit: React.ReactNode }) {
  const { value, default: usual, set } = setting;
  return (
    <div className="flex flex-wrap items-baseline gap-2">
      <code className="wrap-anywhere">{valueText(value)}</code>
      {set && <Badge tone="info">set</Badge>}
      {set && valueText(usual) !== valueText(value) && (
        <span className="text-xs text-faint">default: {valueText(usual)}</span>
      )}
      {edit}
    </div>
  );
}
