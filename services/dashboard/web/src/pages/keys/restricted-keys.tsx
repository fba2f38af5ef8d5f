import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useMay } from "../../api/scope.ts";
import { useHeading } from "../../components/use-heading.ts";
import { CreateRestrictedKey } from "./create-restricted-key.tsx";
import type { Key } from "./exposure-words.ts";
import { Exposures } from "./exposures.tsx";
import { KeyLine } from "./key-line.tsx";
import { RevokeKey } from "./revoke-key.tsx";

/** The restricted keys that work, and a way to make another and to revoke each. */
export function RestrictedKeys({ keys }: { keys: Key[] }) {
  const mayMake = useMay("keys");
  const [heading, focusHeading] = useHeading();
  const mine = keys.filter(({ kind }) => kind === "restricted");
  return (
    <Card withBorder component="section" aria-label="Restricted keys">
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: "1 1 240px" }}>
          <Title order={2} size="h4" ref={heading} tabIndex={-1}>
            Restricted keys
          </Title>
          <Text size="sm" c="dimmed">
            One for each job: a key that can make only the requests you choose, and only from the addresses you choose.
          </Text>
        </div>
        {mayMake && <CreateRestrictedKey />}
      </Group>
      {mine.length > 0 && (
        <Stack gap="md" mt="sm" component="ul" p={0} style={{ listStyle: "none" }}>
          {mine.map((key) => (
            <li key={key.id}>
              <RestrictedKey of={key} mayRevoke={mayMake} onRevoked={focusHeading} />
            </li>
          ))}
        </Stack>
      )}
    </Card>
  );
}

type KeyProps = { of: Key; mayRevoke: boolean; onRevoked: () => void };

function RestrictedKey({ of: key, mayRevoke, onRevoked }: KeyProps) {
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} style={{ flex: "1 1 240px" }}>
          <Text fw={600} dir="auto" className="wrap-anywhere">
            {key.name}
          </Text>
          <KeyLine of={key} />
          <Group gap={6}>
            {key.scopes.map((scope) => (
              <Badge key={scope} color={scope === "transfers:write" ? "orange" : "gray"} tt="none">
                {scope}
              </Badge>
            ))}
          </Group>
          <Text size="sm" c="dimmed" className="wrap-anywhere">
            {key.addresses.length > 0 ? `From ${key.addresses.join(", ")}` : "From any address"}
          </Text>
        </Stack>
        {mayRevoke && <RevokeKey of={key} onRevoked={onRevoked} />}
      </Group>
      <Exposures of={key} />
    </>
  );
}
