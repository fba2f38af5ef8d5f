import { Button, Checkbox, Group, Skeleton, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ReadResponse } from "../../api/calls.ts";
import { useAct, useRead } from "../../api/hooks.ts";
import { useMay, useScope } from "../../api/scope.ts";
import { Failure } from "../../components/failure.tsx";
import { FormProblem } from "../../components/form-problem.tsx";
import { SectionCard } from "../../components/section-card.tsx";
import { hostsIn } from "./hosts.ts";

/** Where payers may return to, and what a page may say: what callers with the public key of this mode may make of it. */
export function ReturnHosts() {
  const settings = useRead("checkout-settings");
  return (
    <>
      {settings.error && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.isPending && <Skeleton height={220} />}
      {settings.data && <SettingsCard key={JSON.stringify(settings.data)} settings={settings.data} />}
    </>
  );
}

function SettingsCard({ settings }: { settings: ReadResponse<"checkout-settings"> }) {
  const mayChange = useMay("keys");
  const { mode } = useScope();
  const [hosts, setHosts] = useState(settings.return_hosts.join("\n"));
  const [showsText, setShowsText] = useState(settings.public_descriptions);
  const save = useAct("checkout-settings", { changes: ["checkout-settings"] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ return_hosts: hostsIn(hosts), public_descriptions: showsText });
  };
  return (
    <SectionCard
      title={`Public key, ${mode} mode`}
      lead={`Your public key is visible in your web pages, so anyone can use it to open a ${mode} checkout page in your name. Choose what such a page can show.`}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Textarea
            label="Return hosts"
            description={
              mode === "live"
                ? "Payers can return only to these hosts. One per line, such as shop.example. Without any, the checkout page has no link back."
                : "One per line, such as shop.example. Without any, payers can return to any https URL in test mode. In live mode they can return only to the hosts on your live list."
            }
            autosize
            minRows={3}
            value={hosts}
            disabled={!mayChange}
            onChange={(event) => setHosts(event.currentTarget.value)}
          />
          <Checkbox
            label="Show descriptions sent with the public key"
            description="The checkout page marks them as not checked by you. Descriptions from your server are always shown as yours."
            checked={showsText}
            disabled={!mayChange}
            onChange={(event) => setShowsText(event.currentTarget.checked)}
          />
          <FormProblem error={save.error} />
          {mayChange && (
            <Group>
              <Button type="submit" loading={save.isPending}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </SectionCard>
  );
}
