import { Badge, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPerson } from "../../api/calls.ts";
import { Failure } from "../../components/failure.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { When } from "../../components/when.tsx";

const SHOWN_FIRST = 8;

/** The latest sign-ins and failed attempts, so that a user recognizes one by somebody else. */
export function SignIns() {
  const signIns = useQuery({ queryKey: ["sign-ins"], queryFn: () => readPerson("sign-ins", {}) });
  const [isAll, setAll] = useState(false);
  const all = signIns.data ?? [];
  return (
    <SectionCard title="Recent sign-ins" lead="If you don't recognize a successful one, change your password now.">
      {signIns.error && <Failure error={signIns.error} onRetry={() => void signIns.refetch()} />}
      {signIns.isPending && <Skeleton height={120} />}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {(isAll ? all : all.slice(0, SHOWN_FIRST)).map(({ at, is_successful, address, is_new_device }) => (
          <li key={at}>
            <Group gap={6}>
              <Text fw={500}>{is_successful ? "Signed in" : "Failed attempt"}</Text>
              {is_new_device && <Badge color={is_successful ? "gray" : "orange"}>New browser</Badge>}
            </Group>
            <Text size="sm" c="dimmed">
              <When at={at} />
              {address && ` from ${address}`}
            </Text>
          </li>
        ))}
      </Stack>
      {!isAll && all.length > SHOWN_FIRST && (
        <Button variant="default" w="fit-content" onClick={() => setAll(true)}>
          Show all {all.length}
        </Button>
      )}
    </SectionCard>
  );
}
