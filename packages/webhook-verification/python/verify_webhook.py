"""Verification of webhooks of the Merchant Collection API. Python 3.8 or later, no dependencies."""

import base64
import hashlib
import hmac
import re
import time

TOLERANCE_S = 300


class WebhookVerificationError(Exception):
    """Respond with 400, and do not trust anything in the body. `code` is stable; vectors.json lists the codes."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def verify_webhook(raw_body, headers, secrets, tolerance_s=TOLERANCE_S, now=None):
    """Raises a WebhookVerificationError unless the service sent these bytes, and sent them recently.

    raw_body: the body as bytes, before any parser.
    headers: all headers of the request, a mapping of names, in any case, to values.
    secrets: the signing secrets, each exactly as displayed; during a rotation the old one and the new one.
    tolerance_s: how many seconds old, or ahead of this clock, a delivery may be; None accepts any age.
    """
    keys = [_checked_secret(secret) for secret in secrets]
    if not keys:
        raise WebhookVerificationError("secret_invalid", "There is no signing secret.")
    given = {name.lower(): value for name, value in headers.items()}

    signature = given.get("x-service-signature")
    if signature is None:
        raise WebhookVerificationError("signature_missing", "The X-Service-Signature header is missing.")
    if not re.fullmatch(r"[0-9a-fA-F]{128}", signature):
        raise WebhookVerificationError("signature_malformed", "X-Service-Signature must be 128 hex digits.")
    is_standard = any(_has_standard_signature(raw_body, given, key) for key in keys)
    if not is_standard and not any(_equal(signature.lower(), _service_signature(raw_body, key)) for key in keys):
        raise WebhookVerificationError("signature_mismatch", "The signature does not match this body and secret.")
    if tolerance_s is not None:
        _assert_recent(given, is_standard, tolerance_s, time.time() if now is None else now)


def _assert_recent(given, is_standard, tolerance_s, now):
    """Only the Standard Webhooks signature covers the time, so a delivery without it could be a recorded one."""
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if name not in given:
            raise WebhookVerificationError("timestamp_missing", f"The {name} header is missing.")
    if not re.fullmatch(r"[0-9]{1,12}", given["webhook-timestamp"]):
        raise WebhookVerificationError("timestamp_malformed", "webhook-timestamp must be the seconds since 1970.")
    if not is_standard:
        raise WebhookVerificationError("signature_mismatch", "webhook-signature does not sign this id, time and body.")
    age_s = int(now) - int(given["webhook-timestamp"])
    if age_s > tolerance_s:
        raise WebhookVerificationError("timestamp_too_old", f"This was sent {age_s} s ago.")
    if -age_s > tolerance_s:
        raise WebhookVerificationError("timestamp_in_future", f"This was sent {-age_s} s in the future.")


def _checked_secret(secret):
    if not re.fullmatch(r"whsec_(?:[A-Za-z0-9+/]{4})+", secret or ""):
        raise WebhookVerificationError("secret_invalid", "The signing secret is whsec_…, exactly as displayed.")
    return secret


def _service_signature(raw_body, key):
    return hmac.new(key.encode(), raw_body, hashlib.sha512).hexdigest()


def _has_standard_signature(raw_body, given, key):
    signed = f"{given.get('webhook-id')}.{given.get('webhook-timestamp')}.".encode() + raw_body
    digest = hmac.new(base64.b64decode(key[len("whsec_") :]), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any([_equal(each, expected) for each in given.get("webhook-signature", "").split(" ")])


def _equal(one, other):
    return hmac.compare_digest(one.encode(), other.encode())
