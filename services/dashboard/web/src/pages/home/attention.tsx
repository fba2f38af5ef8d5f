import { Alert, Anchor, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "react-router";
import { useScope } from "../../api/scope.ts";
import { useConcerns } from "./concerns.ts";

/** Alerts that need the merchant's attention; renders nothing if there are none. */
export function Attention({ isNew }: { isNew: boolean }) {
  const { home } = useScope();
  const concerns = useConcerns({ isNew });
  if (concerns.length === 0) return null;
  return (
    <Alert
      component="section"
      color="orange"
      variant="default"
      icon={<IconAlertTriangle aria-hidden color="var(--mantine-color-orange-6)" />}
      title={<span id="attention">Needs your attention</span>}
      aria-labelledby="attention"
      role="region"
    >
      <List listStyleType="none" spacing="xs">
        {concerns.map(({ what, meaning, action, path }) => (
          <List.Item key={what}>
            <Text size="sm" c="var(--mantine-color-text)">
              <strong>{what}</strong> {meaning}{" "}
              <Anchor component={Link} to={`${home}/${path}`} size="sm">
                {action}
              </Anchor>
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
