import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { ApiProblem, messageOf } from "../../api/problem.ts";
import { Failure } from "../../components/failure.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { withDestination } from "./destination.ts";
import { useAfterSignIn } from "./use-after-sign-in.ts";

/** An invitation to a team. A signed-out user signs in or up first and returns here. */
export function InvitationPage() {
  const { token = "" } = useParams();
  const { data: me, error, isPending, refetch } = useMe();
  if (isPending) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (me) return <Acceptance token={token} email={me.user.email} />;
  const here = `/invitation/${encodeURIComponent(token)}`;
  return (
    <AccountFrame
      title="You've been invited to a team"
      lead="Sign in or create an account with the email address that was invited. You'll return here afterwards."
    >
      <Button component={Link} to={withDestination("/sign-in", here)} size="md">
        Sign in
      </Button>
      <Button component={Link} to={withDestination("/sign-up", here)} size="md" variant="default">
        Create an account
      </Button>
    </AccountFrame>
  );
}

function Acceptance({ token, email }: { token: string; email: string }) {
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
  const isGone = accept.error instanceof ApiProblem && accept.error.code === "not_found";
  return (
    <AccountFrame title="You've been invited to a team" lead={`You are signed in as ${email}.`}>
      {accept.error && (
        <Alert color="red" role="alert" title={isGone ? "This invitation no longer works" : undefined}>
          {isGone
            ? "It was already used, revoked, has expired, or was sent to a different email address. Ask the person who sent it for a new one."
            : messageOf(accept.error)}
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
