import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/** A page: heading, lead, actions and content. The heading is also the window's title. */
export function Page(props: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useTitle(props.title);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <div className={props.lead ? "page-lead" : undefined}>
          <Title order={1} size="h2">
            {props.title}
          </Title>
          {props.lead && <Text c="dimmed">{props.lead}</Text>}
        </div>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  );
}

/** The open titles. An open panel names the window, whichever of page and panel was mounted first. */
const titles = { page: "", panel: "" };

export function useTitle(title: string, layer: "page" | "panel" = "page"): void {
  useEffect(() => {
    titles[layer] = title;
    showTitle();
    return () => {
      titles[layer] = "";
      showTitle();
    };
  }, [title, layer]);
}

function showTitle(): void {
  const title = titles.panel || titles.page;
  document.title = title ? `${title} · Collect` : "Collect";
}
