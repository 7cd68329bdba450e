import { useQuery } from "@tanstack/react-query";
import { hintText } from "../../../../src/contract/words/hint.ts";
import { looksLikeAddress } from "../../../../src/contract/words/repository-address.ts";
import { failureOf } from "../../api/failure.ts";
import { queries } from "../../api/queries.ts";
import { TextField } from "../../ui/field.tsx";
import { useSettled } from "../../ui/hooks/use-settled.ts";
import { capital } from "../../ui/text/capital.ts";
import type { FolderVerdict } from "./folder-verdict.ts";

export interface AddressCheck extends FolderVerdict {
  isAddress: boolean;
  /** Where it is cloned to unless the person says otherwise. */
  folder: string | undefined;
  name: string | undefined;
}

/** Whether what was typed is the address of a repository, and where it would be cloned to. */
export function useAddressCheck(typed: string): AddressCheck {
  const text = typed.trim();
  const asked = useSettled(text);
  const isAddress = looksLikeAddress(text);
  const { data, error } = useQuery({
    ...queries.clonePreview(asked),
    enabled: isAddress && asked === text,
    retry: false,
  });
  const found = asked === text ? data : undefined;
  const none = { isAddress, folder: found?.folder, name: found?.name };
  if (found !== undefined) return { ...none, isUsable: true, tone: "good", text: "✓ repository address" };
  if (error === null || asked !== text)
    return { ...none, isUsable: false, tone: "faint", text: "Checking the address…" };
  const { message, hint } = failureOf(error);
  const reason = `${capital(message.replace(/^url: /, ""))} ${hint === undefined ? "" : hintText(hint)}`.trim();
  return { ...none, isUsable: false, tone: "bad", text: reason };
}

interface FieldProps {
  check: AddressCheck;
  folder: string;
  onFolder: (folder: string) => void;
}

/** Where the repository of an address goes. */
export function CloneField({ check, folder, onFolder }: FieldProps) {
  return (
    <TextField
      label="Clone into"
      hint="A new or empty folder on this machine. Defaults to the one shown."
      placeholder={check.folder ?? ""}
      spellCheck={false}
      autoComplete="off"
      value={folder}
      onChange={({ target }) => onFolder(target.value)}
    />
  );
}
