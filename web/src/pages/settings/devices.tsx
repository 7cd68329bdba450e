import { useQuery } from "@tanstack/react-query";
import { hallCommand } from "../../api/hall-command.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

/** Phones and other browsers that were paired, each of which can be signed out from here. */
export function Devices() {
  const devices = useQuery(queries.devices());
  return (
    <Section title="Paired devices">
      <Loaded query={devices}>
        {({ devices: all, address, refused }) => (
          <Card className="flex flex-col gap-3 p-4 text-sm">
            {all.length > 0 && (
              <ul aria-label="Paired devices" className="flex flex-col divide-y divide-line">
                {all.map((device) => (
                  <Device key={device.id} {...device} />
                ))}
              </ul>
            )}
            <p className="text-faint">
              {address === undefined ? (
                <>
                  {all.length === 0 && "No paired devices. "}
                  {refused} Set <code>server.publicUrl</code> in <code>config.yml</code> to an HTTPS address your phone
                  can open, then restart.
                </>
              ) : (
                <>
                  {all.length === 0 && "No paired devices. "}Pair a phone at {address}: run{" "}
                  <code className="wrap-anywhere">{hallCommand("pair")}</code> in a terminal and scan the QR code.
                </>
              )}
            </p>
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

interface DeviceProps {
  id: string;
  name: string;
  pairedAt: string;
  lastSeenAt: string;
}

function Device({ id, name, pairedAt, lastSeenAt }: DeviceProps) {
  const remove = useAct("removeDevice", { done: `Signed out ${name}.` });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 first:pt-0">
      <span className="min-w-0 flex-1 basis-40 font-medium wrap-anywhere" dir="auto">
        {name}
      </span>
      <span className="text-xs text-faint">
        Paired <Ago at={pairedAt} />, last seen <Ago at={lastSeenAt} />
      </span>
      <Button
        size="small"
        busy={remove.isPending}
        aria-label={`Sign out ${name}`}
        onClick={() => remove.mutate({ params: { id } })}
      >
        Sign out
      </Button>
    </li>
  );
}
