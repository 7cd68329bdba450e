import type { Setting } from "../../../../src/contract/routes/settings-routes.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { valueText } from "./setting-groups.ts";

interface InputProps {
  setting: Setting;
  /** Not among the other settings of a section: what it is stands beside it. */
  isAlone: boolean;
  typed: string;
  problem: string | undefined;
  change: (text: string) => void;
}

const HINTS = { list: "Comma-separated.", data: "JSON." } as const;

/** The field that fits the kind of a setting. */
export function SettingInput({ setting, isAlone, typed, problem, change }: InputProps) {
  const { key, form, about, section, default: usual } = setting;
  const hint = isAlone ? hintOf(setting) : about;
  const label = isAlone || section === undefined ? key : key.slice(section.length + 1);
  const common = {
    ...{ label, hideLabel: isAlone, error: problem, value: typed },
    ...(hint === undefined ? {} : { hint }),
  };
  const unset = isAlone ? "none" : usual === null ? "default" : `default (${valueText(usual)})`;
  switch (form.kind) {
    case "switch":
    case "choice": {
      const choices = form.kind === "switch" ? ["true", "false"] : (form.choices ?? []);
      return (
        <SelectField {...common} onChange={({ target }) => change(target.value)}>
          {(form.kind === "choice" || !isAlone) && <option value="">{unset}</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </SelectField>
      );
    }
    case "data":
      return <TextArea {...common} onChange={({ target }) => change(target.value)} />;
    case "number":
    case "text":
    case "list":
      return (
        <TextField
          {...common}
          spellCheck={false}
          inputMode={form.kind === "number" ? "decimal" : "text"}
          placeholder={isAlone || usual === null ? undefined : valueText(usual)}
          onChange={({ target }) => change(target.value)}
        />
      );
  }
}

function hintOf({ form }: Setting): string | undefined {
  if (form.nullable === true) return "Leave empty for no limit.";
  return form.kind === "list" || form.kind === "data" ? HINTS[form.kind] : undefined;
}
