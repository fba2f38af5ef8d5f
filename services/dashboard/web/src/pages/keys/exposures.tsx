import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { FormProblem } from "../../components/form-problem.tsx";
import { exposureWords, type Key } from "./exposure-words.ts";

/** The people who may know a key and should not, each with an owner's choice to keep it. Rolling or revoking it is beside the key. */
export function Exposures({ of: key }: { of: Key }) {
  const mayKeep = useMay("secret_keys");
  const keep = useAct("keys/:key_id/keep", { changes: ["keys"] });
  if (key.exposed_to.length === 0) return null;
  const advice = key.kind === "restricted" ? "Revoke it" : "Roll it";
  return (
    <Alert
      color="orange"
      title={`${advice}: someone who should no longer have this key may know it`}
      role="alert"
      mt="xs"
    >
      <Stack gap="xs">
        {key.exposed_to.map((exposure) => (
          <Group key={exposure.user_id} justify="space-between" gap="xs">
            <Text size="sm">
              {exposureWords(exposure)} <span className="wrap-anywhere">({exposure.email})</span>
            </Text>
            {mayKeep && (
              <Button
                size="xs"
                variant="default"
                loading={keep.isPending}
                onClick={() => keep.mutate({ key_id: key.id, user_id: exposure.user_id })}
                aria-label={`Keep the key although ${exposure.name} may know it`}
              >
                Keep the key
              </Button>
            )}
          </Group>
        ))}
        <FormProblem error={keep.error} />
      </Stack>
    </Alert>
  );
}
