import { Alert, Button, FileButton, Group, Stack } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { errorsByField, messageOf } from "../../../api/problem.ts";
import { useScope } from "../../../api/scope.ts";

/** More than any file of 1,000 lines that the server accepts. */
const BYTES_MAX = 120_000;

/** Uploads the chosen file and opens it. */
export function UploadFile() {
  const { home } = useScope();
  const navigate = useNavigate();
  const upload = useAct("transfer-batches", { changes: ["transfer-batches"] });
  const [isTooLarge, setTooLarge] = useState(false);
  const reset = useRef<() => void>(null);
  const send = async (file: File | null) => {
    if (!file) return;
    // Otherwise the same file, corrected, could not be chosen again.
    reset.current?.();
    setTooLarge(file.size > BYTES_MAX);
    if (file.size > BYTES_MAX) return upload.reset();
    const content = await file.text();
    upload.mutate(
      { name: file.name.slice(0, 100), content },
      {
        onSuccess: ({ batch, created }) =>
          navigate(`${home}/transfers/bulk/${batch.reference}`, { state: { isRepeated: !created } }),
      },
    );
  };
  const refusal = isTooLarge
    ? "This file is larger than 1,000 transfers can be. Nothing was sent. Split it, and upload the parts."
    : upload.error && (errorsByField(upload.error).content ?? messageOf(upload.error));
  return (
    <Stack gap="sm">
      <Group>
        <FileButton
          resetRef={reset}
          accept=".csv,text/csv"
          onChange={(file) => void send(file)}
          inputProps={{ "aria-label": "CSV file" }}
        >
          {(props) => (
            <Button {...props} loading={upload.isPending} leftSection={<IconUpload size={16} aria-hidden />}>
              Choose a CSV file
            </Button>
          )}
        </FileButton>
      </Group>
      {refusal && (
        <Alert color="red" role="alert" title="This file can't be used">
          {refusal}
        </Alert>
      )}
    </Stack>
  );
}
