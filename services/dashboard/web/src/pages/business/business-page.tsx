import { Skeleton } from "@mantine/core";
import { useRead } from "../../api/hooks.ts";
import { Failure } from "../../components/failure.tsx";
import { Page } from "../../components/page.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { ReturnHosts } from "./return-hosts-card.tsx";

/** How the business shows itself to payers, and what others may do in its name with its public key. */
export function BusinessPage() {
  const profile = useRead("business-profile");
  return (
    <Page title="Business" lead="How your business appears to payers on every checkout page.">
      {profile.error && <Failure error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.isPending && <Skeleton height={420} />}
      {profile.data && <ProfileCard key={JSON.stringify(profile.data)} profile={profile.data} />}
      <ReturnHosts />
    </Page>
  );
}
