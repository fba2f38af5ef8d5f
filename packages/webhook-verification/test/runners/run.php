<?php

declare(strict_types=1);

require getcwd() . '/verify_webhook.php';

while (($line = fgets(STDIN)) !== false) {
    [$now, $tolerance, $secrets, $body, $pairs] = explode("\t", rtrim($line, "\n"));
    $headers = [];
    foreach (array_filter(explode("\n", base64_decode($pairs))) as $pair) {
        [$name, $value] = explode(': ', $pair, 2);
        $headers[$name] = $value;
    }
    try {
        Collect\verify_webhook(
            base64_decode($body),
            $headers,
            $secrets === '' ? [] : explode(',', $secrets),
            $tolerance === 'any' ? null : (int) $tolerance,
            (int) $now,
        );
        echo "valid\n";
    } catch (Collect\WebhookVerificationException $error) {
        echo $error->reason, "\n";
    }
}
