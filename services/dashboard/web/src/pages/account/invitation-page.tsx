import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { ApiProblem, messageOf } from "../../api/problem.ts";
import { Failure } from "../../components/failure.tsx";
import { ROLES } from "../team/roles.ts";
import { AccountFrame } from "./account-frame.tsx";
import { withDestination } from "./destination.ts";
import { useAfterSignIn } from "./use-after-sign-in.ts";

type Invitation = Awaited<ReturnType<typeof actPerson<"invitations/show">>>;

/** An invitation to a team: whose, from whom, and to which role. A signed-out user signs in or up first and returns here. */
export function InvitationPage() {
  const { token = "" } = useParams();
  const me = useMe();
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => actPerson("invitations/show", { token }),
    // Accepting it also ends it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { error } = invitation;
  if (error instanceof ApiProblem && error.code === "not_found") return <Gone />;
  if (error) return <Failure error={error} onRetry={() => void invitation.refetch()} />;
  if (me.error) return <Failure error={me.error} onRetry={() => void me.refetch()} />;
  if (me.isPending || !invitation.data) return null;
  if (me.data) return <Acceptance token={token} email={me.data.user.email} invitation={invitation.data} />;
  const here = `/invitation/${encodeURIComponent(token)}`;
  return (
    <AccountFrame
      title={titleOf(invitation.data)}
      lead="Sign in or create an account with the email address that was invited. You'll return here afterwards."
    >
      <Offer invitation={invitation.data} />
      <Button component={Link} to={withDestination("/sign-in", here)} size="md">
        Sign in
      </Button>
      <Button component={Link} to={withDestination("/sign-up", here)} size="md" variant="default">
        Create an account
      </Button>
    </AccountFrame>
  );
}

const titleOf = ({ business }: Invitation) => `Join ${business}`;

function Offer({ invitation: { business, inviter, role } }: { invitation: Invitation }) {
  const { label, may } = ROLES.find(({ value }) => value === role) ?? { label: role, may: "" };
  return (
    <Text size="sm" className="wrap-anywhere">
      <bdi>{inviter}</bdi> invites you to the team of <bdi>{business}</bdi> on Collect. Your role:{" "}
      <strong>{label}</strong>. {may}
    </Text>
  );
}

const Gone = () => (
  <AccountFrame
    title="This invitation no longer works"
    lead="It was already used, was revoked or has expired. Ask the person who sent it for a new one."
  >
    <Button component={Link} to="/" size="md" variant="default">
      Open the dashboard
    </Button>
  </AccountFrame>
);

function Acceptance({ token, email, invitation }: { token: string; email: string; invitation: Invitation }) {
  const afterSignIn = useAfterSignIn();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => actPerson("invitations/accept", { token }),
    onSuccess: async ({ merchant_id }) => {
      await afterSignIn();
      navigate(`/m/${merchant_id}/test`, { replace: true });
    },
  });
  const change = useMutation({ mutationFn: () => actPerson("auth/sign-out", {}), onSuccess: afterSignIn });
  return (
    <AccountFrame title={titleOf(invitation)} lead={`You are signed in as ${email}.`}>
      <Offer invitation={invitation} />
      {accept.error && (
        <Alert color="red" role="alert">
          {messageOf(accept.error)}
        </Alert>
      )}
      <Button size="md" loading={accept.isPending} onClick={() => accept.mutate()}>
        Join the team
      </Button>
      <Stack gap={0} align="center">
        <Text size="sm">Invited under a different email address?</Text>
        <Anchor component="button" type="button" size="sm" py={10} onClick={() => change.mutate()}>
          Sign in with another account
        </Anchor>
      </Stack>
    </AccountFrame>
  );
}
