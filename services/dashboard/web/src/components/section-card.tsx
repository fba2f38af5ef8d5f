import { Card, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, type RefObject, useId } from "react";

type Props = {
  title: string;
  lead?: ReactNode;
  /** Its heading, which takes the focus of what leaves. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
};

/** One section of a settings page. */
export function SectionCard({ title, lead, heading, children }: Props) {
  const id = useId();
  return (
    <Card withBorder component="section" aria-labelledby={id} maw={720}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4" id={id} {...(heading && { ref: heading, tabIndex: -1 })}>
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}
