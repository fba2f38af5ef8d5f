import { deviceName } from "@collect/dashboard/device-name";
import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { actPerson, readPerson } from "../../api/calls.ts";
import { messageOf } from "../../api/problem.ts";
import { useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { useHeading } from "../../components/use-heading.ts";
import { When } from "../../components/when.tsx";

type Session = Awaited<ReturnType<typeof readPerson<"auth/list-sessions">>>[number];

/** The user's sessions, each with a sign-out button. */
export function Devices() {
  const { me } = useScope();
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: ["devices"], queryFn: () => readPerson("auth/list-sessions", {}) });
  const [heading, focusHeading] = useHeading();
  const onSuccess = () => {
    focusHeading();
    return client.invalidateQueries({ queryKey: ["devices"] });
  };
  const revoke = useMutation({
    mutationFn: (token: string) => actPerson("auth/revoke-session", { token }),
    onSuccess,
  });
  const revokeOthers = useMutation({ mutationFn: () => actPerson("auth/revoke-other-sessions", {}), onSuccess });
  const problem = revoke.error ?? revokeOthers.error;
  const [here, others] = partition(sessions.data ?? [], me.session.id);
  return (
    <SectionCard
      heading={heading}
      title="Signed-in devices"
      lead="Sign out any device you don't recognize, then change your password."
    >
      {sessions.error && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Skeleton height={80} />}
      {problem && (
        <Alert color="red" role="alert">
          {messageOf(problem)}
        </Alert>
      )}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
        {[...here, ...others].map((session) => (
          <Group component="li" key={session.id} justify="space-between" gap="sm" wrap="wrap">
            <div>
              <Group gap={6}>
                <Text fw={500}>{deviceName(session.userAgent)}</Text>
                {session.id === me.session.id && <Badge color="green">This device</Badge>}
              </Group>
              <Text size="sm" c="dimmed">
                Signed in <When at={session.createdAt} />
                {session.ipAddress && ` from ${session.ipAddress}`}
              </Text>
            </div>
            {session.id !== me.session.id && (
              <Button
                variant="default"
                loading={revoke.isPending && revoke.variables === session.token}
                onClick={() => revoke.mutate(session.token)}
                aria-label={`Sign out ${deviceName(session.userAgent)}`}
              >
                Sign out
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {others.length > 0 && (
        <Button
          variant="default"
          w="fit-content"
          loading={revokeOthers.isPending}
          onClick={() => revokeOthers.mutate()}
        >
          Sign out all other devices
        </Button>
      )}
    </SectionCard>
  );
}

/** This device first, then the others, newest first. */
function partition(sessions: Session[], id: string): [here: Session[], others: Session[]] {
  const newest = sessions.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return [newest.filter((session) => session.id === id), newest.filter((session) => session.id !== id)];
}
