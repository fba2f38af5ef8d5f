import { Alert, Anchor, Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "react-router";
import { actPerson } from "../../api/calls.ts";
import { useMe } from "../../api/me.ts";
import { ApiProblem, messageOf } from "../../api/problem.ts";
import { AccountFrame } from "./account-frame.tsx";
import { TwoFactorStep } from "./two-factor-step.tsx";
import { useAfterSignIn } from "./use-after-sign-in.ts";

/** A link that signs in once. Opening it, as a mail client does for a preview, does not use it. */
export function SignInLinkPage() {
  const { token = "" } = useParams();
  const { data: me } = useMe();
  const afterSignIn = useAfterSignIn();
  const navigate = useNavigate();
  const signIn = useMutation({
    mutationFn: () => actPerson("sign-in-link", { token }),
    onSuccess: async ({ twoFactorRedirect }) => {
      if (twoFactorRedirect) return;
      await afterSignIn();
      navigate("/", { replace: true });
    },
  });
  if (signIn.data?.twoFactorRedirect)
    return (
      <TwoFactorStep onEntered={() => navigate("/", { replace: true })} onStartAgain={() => navigate("/sign-in")} />
    );
  const isInvalid = signIn.error instanceof ApiProblem && signIn.error.status >= 400 && signIn.error.status < 429;
  if (isInvalid) return <InvalidLink />;
  return (
    <AccountFrame
      title="Sign in with this link"
      lead={
        me
          ? `You are signed in as ${me.user.email}. The link will sign you in as the user it was created for.`
          : "This link is personal and works once."
      }
    >
      {signIn.error && (
        <Alert color="red" role="alert">
          {messageOf(signIn.error)}
        </Alert>
      )}
      <Button size="md" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in
      </Button>
    </AccountFrame>
  );
}

function InvalidLink() {
  return (
    <AccountFrame title="This link no longer works">
      <Text>
        It was already used or has expired. Ask the person who sent it for a new one. If you have a password, you can{" "}
        <Anchor component={Link} to="/sign-in">
          sign in with your password
        </Anchor>
        .
      </Text>
    </AccountFrame>
  );
}
