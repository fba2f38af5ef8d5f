<?php

declare(strict_types=1);

/** Verification of webhooks of the Merchant Collection API. PHP 8.0 or later, no dependencies. */
namespace Collect;

/** Respond with 400, and do not trust anything in the body. `$reason` is stable; vectors.json lists the reasons. */
final class WebhookVerificationException extends \Exception
{
    public function __construct(public string $reason, string $message)
    {
        parent::__construct($message);
    }
}

/**
 * Throws a WebhookVerificationException unless the service sent these bytes, and sent them recently.
 *
 * @param string $rawBody the body before any parser: file_get_contents('php://input')
 * @param array<string, string> $headers all headers of the request, their names in any case: getallheaders()
 * @param string[] $secrets the signing secrets, each exactly as displayed; during a rotation the old one and the new one
 * @param int|null $toleranceS how many seconds old, or ahead of this clock, a delivery may be; null accepts any age
 */
function verify_webhook(string $rawBody, array $headers, array $secrets, ?int $toleranceS = 300, ?int $now = null): void
{
    foreach ($secrets as $secret) {
        if (!preg_match('~^whsec_(?:[A-Za-z0-9+/]{4})+$~D', $secret)) {
            throw new WebhookVerificationException('secret_invalid', 'The signing secret is whsec_…, exactly as displayed.');
        }
    }
    if ($secrets === []) {
        throw new WebhookVerificationException('secret_invalid', 'There is no signing secret.');
    }
    $given = array_change_key_case($headers, CASE_LOWER);
    if (!isset($given['x-service-signature'])) {
        throw new WebhookVerificationException('signature_missing', 'The X-Service-Signature header is missing.');
    }
    if (!preg_match('~^[0-9a-f]{128}$~Di', $given['x-service-signature'])) {
        throw new WebhookVerificationException('signature_malformed', 'X-Service-Signature must be 128 hex digits.');
    }
    $isService = $isStandard = false;
    foreach ($secrets as $secret) {
        $expected = hash_hmac('sha512', $rawBody, $secret);
        $isService = hash_equals($expected, strtolower($given['x-service-signature'])) || $isService;
        $isStandard = has_standard_signature($rawBody, $given, $secret) || $isStandard;
    }
    if (!$isService && !$isStandard) {
        throw new WebhookVerificationException('signature_mismatch', 'The signature does not match this body and secret.');
    }
    if ($toleranceS !== null) {
        assert_recent($given, $isStandard, $toleranceS, $now ?? time());
    }
}

/**
 * Only the Standard Webhooks signature covers the time, so a delivery without it could be a recorded one.
 *
 * @param array<string, string> $given
 */
function assert_recent(array $given, bool $isStandard, int $toleranceS, int $now): void
{
    foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
        if (!isset($given[$name])) {
            throw new WebhookVerificationException('timestamp_missing', "The $name header is missing.");
        }
    }
    if (!preg_match('~^[0-9]{1,12}$~D', $given['webhook-timestamp'])) {
        throw new WebhookVerificationException('timestamp_malformed', 'webhook-timestamp must be the seconds since 1970.');
    }
    if (!$isStandard) {
        throw new WebhookVerificationException('signature_mismatch', 'webhook-signature does not sign this id, time and body.');
    }
    $ageS = $now - (int) $given['webhook-timestamp'];
    if ($ageS > $toleranceS) {
        throw new WebhookVerificationException('timestamp_too_old', "This was sent $ageS s ago.");
    }
    if (-$ageS > $toleranceS) {
        throw new WebhookVerificationException('timestamp_in_future', 'This was sent ' . -$ageS . ' s in the future.');
    }
}

/** @param array<string, string> $given */
function has_standard_signature(string $rawBody, array $given, string $secret): bool
{
    $signed = ($given['webhook-id'] ?? '') . '.' . ($given['webhook-timestamp'] ?? '') . '.' . $rawBody;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $found = false;
    foreach (explode(' ', $given['webhook-signature'] ?? '') as $each) {
        $found = hash_equals($expected, $each) || $found;
    }
    return $found;
}
