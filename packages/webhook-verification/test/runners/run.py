import base64
import sys

from verify_webhook import WebhookVerificationError, verify_webhook

for line in sys.stdin:
    now, tolerance, secrets, body, headers = line.rstrip("\n").split("\t")
    pairs = (pair.split(": ", 1) for pair in base64.b64decode(headers).decode().splitlines())
    try:
        verify_webhook(
            base64.b64decode(body),
            dict(pairs),
            [secret for secret in secrets.split(",") if secret],
            None if tolerance == "any" else int(tolerance),
            int(now),
        )
        print("valid")
    except WebhookVerificationError as error:
        print(error.code)
