import { Button } from "../../ui/button.tsx";

export function Confirmation({
  question,
  yes,
  onYes,
  onNo,
}: {
  question: string;
  yes: string;
  onYes: () => void;
  onNo: () => void;
}) {
  return (
    <div role="alertdialog" aria-label={yes} className="flex flex-col gap-4 px-4 py-4">
      <p>{question}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onNo}>Back</Button>
        <Button kind="danger" autoFocus onClick={onYes}>
          {yes}
        </Button>
      </div>
    </div>
  );
}
