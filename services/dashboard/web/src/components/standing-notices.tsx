import { Alert, Stack, Text } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ReadResponse } from "../api/calls.ts";
import { useRead } from "../api/hooks.ts";
import { useScope } from "../api/scope.ts";
import { When } from "./when.tsx";

type Suspension = ReadResponse<"verification">["suspension"];
type Payouts = ReadResponse<"payouts">;

/** How often it is asked again, because the operator can end it at any time. */
const REFETCH_MS = 30_000;

/** Banners while the business is suspended, and while payouts are stopped for all. Renders nothing otherwise. */
export function StandingNotices() {
  const { mode } = useScope();
  const { data: verification } = useRead("verification", {}, { refetchInterval: REFETCH_MS });
  const { data: payouts } = useRead("payouts", {}, { enabled: mode === "live", refetchInterval: REFETCH_MS });
  const suspension = verification?.suspension ?? null;
  if (!suspension && !payouts?.stopped_since) return null;
  return (
    <Stack gap="sm" mb="lg">
      {suspension && <Suspended suspension={suspension} held={payouts?.held ?? 0} />}
      {payouts?.stopped_since && <Stopped payouts={payouts} />}
    </Stack>
  );
}

function Suspended({ suspension: { reason, since }, held }: { suspension: NonNullable<Suspension>; held: number }) {
  return (
    <Notice title={`This business is suspended: ${reason}`}>
      Since <When at={since} exact />. You can't create live accounts, sessions, links or transfers. Money that arrives
      is still credited to your balance. {held > 0 && `${waiting(held)} `}Test mode works as before. Contact us to
      resolve this.
    </Notice>
  );
}

function Stopped({ payouts: { stopped_since, held } }: { payouts: Payouts }) {
  return (
    <Notice title="Transfers are stopped">
      For all businesses, since <When at={stopped_since} exact />. Your balance is unchanged.{" "}
      {held > 0 && `${waiting(held)} `}You can create new ones once transfers start again.
    </Notice>
  );
}

const waiting = (held: number) =>
  held === 1 ? "1 transfer is on hold and will be sent then." : `${held} transfers are on hold and will be sent then.`;

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Alert
      component="section"
      role="region"
      color="red"
      variant="default"
      icon={<IconHandStop aria-hidden color="var(--mantine-color-red-6)" />}
      title={title}
      aria-label={title}
    >
      <Text size="sm" c="var(--mantine-color-text)">
        {children}
      </Text>
    </Alert>
  );
}
