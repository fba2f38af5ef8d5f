import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, Navigate, useNavigate, useParams } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { messageOf } from "../../api/problem.ts";
import { Failure } from "../../components/failure.tsx";
import { AccountFrame } from "./account-frame.tsx";
import { withDestination } from "./destination.ts";
import { useAfterSignIn } from "./use-after-sign-in.ts";

/** Proves the address of the signed-in user, with the link of a mail. */
export function ConfirmAddressPage() {
  const { token = "" } = useParams();
  const { data: me, error, isPending, refetch } = useMe();
  if (isPending) return null;
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!me)
    return <Navigate to={withDestination("/sign-in", `/confirm-address/${encodeURIComponent(token)}`)} replace />;
  return <Confirmation token={token} email={me.user.email} />;
}

function Confirmation({ token, email }: { token: string; email: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const afterSignIn = useAfterSignIn();
  const confirm = useMutation({
    mutationFn: () => actPerson("address/confirm", { token }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["me"] });
      navigate("/", { replace: true });
    },
  });
  const change = useMutation({ mutationFn: () => actPerson("auth/sign-out", {}), onSuccess: afterSignIn });
  return (
    <AccountFrame title="Confirm your email address" lead={`You are signed in as ${email}.`}>
      {confirm.error && (
        <Alert color="red" role="alert">
          {messageOf(confirm.error)}
        </Alert>
      )}
      <Button size="md" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm {email}
      </Button>
      <Stack gap={0} align="center">
        <Text size="sm">Not your address?</Text>
        <Anchor component="button" type="button" size="sm" py={10} onClick={() => change.mutate()}>
          Sign in with another account
        </Anchor>
        <Anchor component={Link} to="/" size="sm" py={10}>
          Not now
        </Anchor>
      </Stack>
    </AccountFrame>
  );
}
