import { Box, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTitle } from "../../components/page.tsx";

/** The card layout of pages outside any merchant: sign-in, sign-up and invitations. */
export function AccountFrame(props: { title: string; lead?: ReactNode; children?: ReactNode; below?: ReactNode }) {
  const { title, lead, children, below } = props;
  useTitle(title);
  return (
    <Box component="main" px="md" py={{ base: 32, sm: 80 }} maw={452} mx="auto">
      <Group gap="xs" justify="center" mb="lg">
        <img src="/icon.svg" alt="" width={24} height={24} />
        <Text fw={600}>Collect</Text>
      </Group>
      <Paper withBorder p={{ base: "md", sm: "xl" }} shadow="xs">
        <Stack>
          <div>
            <Title order={1} size="h3">
              {title}
            </Title>
            {lead && (
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
      {below && (
        <Text size="sm" ta="center" mt="md">
          {below}
        </Text>
      )}
    </Box>
  );
}
