import { useNavigate } from "@tanstack/react-router";
import { showPanel, usePanel } from "../../shell/panels.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ProjectForm } from "./project-form.tsx";

const close = () => showPanel(undefined);

export default function NewProject() {
  const panel = usePanel();
  const navigate = useNavigate();
  return (
    <Dialog title="New project" onClose={close}>
      <ProjectForm
        startsWithFolders={panel === "choose-folder"}
        onClose={close}
        onMade={(made) => {
          close();
          void navigate({ to: "/projects/$id", params: { id: made } });
        }}
      />
    </Dialog>
  );
}
