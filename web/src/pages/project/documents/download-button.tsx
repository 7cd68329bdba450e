import { Button } from "../../../ui/button.tsx";
import { baseName } from "./document-kind.ts";

export function DownloadButton({ file }: { file: { path: string; content: string } }) {
  return (
    <Button size="small" onClick={() => download(file.path, file.content)}>
      Download
    </Button>
  );
}

/** Saves a text under its name. As plain text, so that no browser opens what an agent wrote as a page. */
function download(path: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = baseName(path);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
