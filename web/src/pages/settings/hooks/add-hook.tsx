import { ChevronRight } from "lucide-react";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { EVENT_WORDS } from "./hook-words.ts";

const EXAMPLE = `# hooks/no-force-push.yml
event: PreToolUse
matcher: exec
command: [./no-force-push.sh]
timeoutSeconds: 10
onError: refuse
`;

const SCRIPT = `#!/bin/sh
# hooks/no-force-push.sh gets the call as JSON on stdin.
if grep -q 'push --force'; then
  echo "Force pushes are not allowed." >&2
  exit 2
fi
`;

/** How a person adds a hook: they are files, so that they can be kept in version control. */
export function AddHook() {
  return (
    <details className="group rounded-lg border border-line bg-card px-4 py-3 text-sm">
      <summary className="flex cursor-pointer list-none items-center gap-1 font-medium">
        <ChevronRight size={14} aria-hidden className="text-faint group-open:rotate-90" />
        Add a hook
      </summary>
      <div className="mt-2 flex flex-col gap-3">
        <p>
          Save a file in the <code>hooks</code> folder of the workspace, or add an entry under <code>hooks</code> in{" "}
          <code>config.yml</code>. It loads on save. A hook has a <code>command</code>, which gets JSON on stdin, or a{" "}
          <code>url</code>, which gets the same JSON as a POST request.
        </p>
        <ScrollBox label="Example of a hook" look="text">
          {EXAMPLE}
        </ScrollBox>
        <ScrollBox label="Example of its program" look="text">
          {SCRIPT}
        </ScrollBox>
        <ul className="list-disc pl-5">
          <li>Exit 0 allows. Exit 2 refuses, with stderr as the reason the agent gets.</li>
          <li>
            Any other exit code, a timeout or a missing program also refuses, unless <code>onError: allow</code> is set.
          </li>
          <li>
            Add <code>sample</code>, an input the hook must refuse: it's tried at start and on every change.
          </li>
          <li>
            Hooks in <code>.claude/settings.json</code> of a project's repository are listed here too, and run only
            after you accept them.
          </li>
        </ul>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_1fr]">
          {Object.entries(EVENT_WORDS).map(([event, words]) => (
            <div key={event} className="contents">
              <dt>
                <code>{event}</code>
              </dt>
              <dd className="text-faint max-sm:mb-1">{words}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}
