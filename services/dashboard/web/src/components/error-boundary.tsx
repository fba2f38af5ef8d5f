import { Alert, Button, Group, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";

type Props = { place: string; children: ReactNode };
type State = { hasFailed: boolean; place: string };

/** What breaks inside is said, instead of an empty window. Going elsewhere, to another `place`, is a new try. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, place: this.props.place };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ place }: Props, before: State): State | null {
    return place === before.place ? null : { hasFailed: false, place };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
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

/** A window that was open during a release asks for parts that are gone: it loads the new release, once, and says so if that fails. */
export function reloadAfterRelease(): void {
  window.addEventListener("vite:preloadError", () => {
    const reloadedAt = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - reloadedAt < RELOAD_AGAIN_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    window.location.reload();
  });
}
