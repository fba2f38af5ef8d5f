import { Alert, Skeleton, Text } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { useMay } from "../../api/scope.ts";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { Status } from "../../components/status.tsx";
import { When } from "../../components/when.tsx";
import { DETAILS, type Verification } from "./business-details.ts";
import { VerificationForm } from "./verification-form.tsx";

/** What is known about the business, where its verification stands, and what happens next. */
export function VerificationPage() {
  const verification = useRead("verification");
  const mayChange = useMay("owner");
  const { data, error } = verification;
  const isOpen = data?.state === "draft" || data?.state === "returned";
  return (
    <Page
      title="Business verification"
      lead="Live keys exist only for a verified business. Test mode works without."
      actions={data && <Status status={data.state} />}
    >
      {error && <Failure error={error} onRetry={() => void verification.refetch()} />}
      {verification.isPending && <Skeleton height={400} />}
      {data && <Standing {...data} />}
      {data && isOpen && mayChange && <VerificationForm verification={data} />}
      {data && (!isOpen || !mayChange) && <Given {...data} />}
      {isOpen && !mayChange && <Text size="sm">An owner of your team fills this in and submits it.</Text>}
    </Page>
  );
}

/** The state in words: what it means, and what comes next. */
function Standing({ state, reason, submitted_at, decided_at }: Verification) {
  if (state === "draft")
    return (
      <Text size="sm" maw={640}>
        Fill it in at your own pace and save as often as you like. Once you submit it, we check it against the register
        and answer here.
      </Text>
    );
  if (state === "submitted")
    return (
      <Alert color="blue" title="It is with us" role="status">
        You sent it <When at={submitted_at} />. We check it against the register and answer here; until then it cannot
        be changed. Test mode goes on working.
      </Alert>
    );
  if (state === "approved")
    return (
      <Alert color="accent" title="Your business is verified" role="status">
        Approved <When at={decided_at} />. Live keys can be made under Developers, in live mode.
      </Alert>
    );
  return (
    <Alert color="orange" title="It came back to you" role="status">
      <Text size="sm" className="wrap-anywhere">
        The reason: {reason}
      </Text>
      <Text size="sm" mt={4}>
        Change what is needed and submit it again. Nothing you filled in is lost.
      </Text>
    </Alert>
  );
}

/** Nothing at all when the operator verified the business without the form. */
function Given({ details, settlement_account_name, settlement_bank_name }: Verification) {
  if (Object.keys(details).length === 0) return null;
  return (
    <div style={{ maxWidth: 640 }}>
      <Facts
        facts={[
          ...DETAILS.filter(({ name }) => name !== "settlement_bank_code").map(({ name, label }): [string, string] => [
            label,
            details[name] ?? "–",
          ]),
          ["Settlement bank", settlement_bank_name ?? details.settlement_bank_code ?? "–"],
          ["In the name of", settlement_account_name],
        ]}
      />
    </div>
  );
}
