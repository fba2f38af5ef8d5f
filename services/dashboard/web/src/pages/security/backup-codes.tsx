import { Alert, Button, CopyButton, Group, SimpleGrid, Stack, Text } from "@mantine/core";

/** Shown once: each code signs in once without the phone. */
export function BackupCodes({ codes, email, onKept }: { codes: string[]; email: string; onKept: () => void }) {
  const text = codes.join("\n");
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Backup codes of ${email} for Collect. Each works once.\n\n${text}\n`)}`;
  return (
    <Stack gap="sm">
      <Alert color="yellow" role="status" title="Two-factor authentication is on. Save these backup codes">
        <Text size="sm" mb="sm">
          Each code signs you in once if you lose your phone. They are shown only once. Store them somewhere other than
          your phone.
        </Text>
        <SimpleGrid component="ul" cols={{ base: 2, xs: 3 }} spacing={4} m={0} p={0} style={{ listStyle: "none" }}>
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </SimpleGrid>
      </Alert>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy codes"}
            </Button>
          )}
        </CopyButton>
        <Button component="a" href={file} download="collect-backup-codes.txt" variant="default">
          Download codes
        </Button>
        <Button onClick={onKept}>I've saved them</Button>
      </Group>
    </Stack>
  );
}
