import { Alert, Button, Group, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";

type Props = { location: string; children: ReactNode };
type State = { hasFailed: boolean; location: string };

/** Shows a message instead of an empty window when rendering fails. Navigating to another `location` tries again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, location: this.props.location };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ location }: Props, before: State): State | null {
    return location === before.location ? null : { hasFailed: false, location };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <RenderFailure /> : this.props.children;
  }
}

function RenderFailure() {
  return (
    <Alert color="red" title="This page stopped working" role="alert" m="md">
      <Text size="sm">
        Either the dashboard was updated or something went wrong on this page. Your money and settings are not affected.
        Reload the page to continue.
      </Text>
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </Group>
    </Alert>
  );
}

const RELOADED = "reloaded-at";
const RELOAD_AGAIN_MS = 60_000;

/** A window that was open during a release requests chunks that no longer exist: it loads the new release, once, and shows the error if that fails. */
export function reloadAfterRelease(): void {
  window.addEventListener("vite:preloadError", () => {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - reloadedAt < RELOAD_AGAIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    window.location.reload();
  });
}
