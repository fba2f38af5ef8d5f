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

/** The business details, the state of the verification, and the next step. */
export function VerificationPage() {
  const verification = useRead("verification");
  const mayChange = useMay("business");
  const { data, error } = verification;
  const isOpen = data?.state === "draft" || data?.state === "returned";
  return (
    <Page
      title="Business verification"
      lead="Live keys require a verified business. Test mode doesn't."
      actions={data && <Status status={data.state} />}
    >
      {error && <Failure error={error} onRetry={() => void verification.refetch()} />}
      {verification.isPending && <Skeleton height={400} />}
      {data && <VerificationState {...data} />}
      {data && isOpen && mayChange && <VerificationForm verification={data} />}
      {data && (!isOpen || !mayChange) && <Given {...data} />}
      {isOpen && !mayChange && <Text size="sm">Only an owner can fill this in and submit it.</Text>}
    </Page>
  );
}

/** Explains the state and the next step. */
function VerificationState({ state, reason, submitted_at, decided_at }: Verification) {
  if (state === "draft")
    return (
      <Text size="sm" maw={640}>
        You can save a draft at any time. Once you submit it, we check it against the register and show the result here.
      </Text>
    );
  if (state === "submitted")
    return (
      <Alert color="blue" title="We're reviewing your details" role="status">
        You submitted it <When at={submitted_at} />. We'll check it against the register and show the result here. You
        can't edit it until then. Test mode keeps working.
      </Alert>
    );
  if (state === "approved")
    return (
      <Alert color="accent" title="Your business is verified" role="status">
        Approved <When at={decided_at} />. Create live keys under Developers in live mode.
      </Alert>
    );
  return (
    <Alert color="orange" title="Changes requested" role="status">
      <Text size="sm" className="wrap-anywhere">
        Reason: {reason}
      </Text>
      <Text size="sm" mt={4}>
        Make the changes and resubmit. Everything you entered is still here.
      </Text>
    </Alert>
  );
}

/** Nothing if the operator verified the business without the form. */
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
          ["Account name", settlement_account_name],
        ]}
      />
    </div>
  );
}
