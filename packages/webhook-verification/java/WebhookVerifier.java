import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Verification of webhooks of the Merchant Collection API. Java 11 or later, no dependencies. */
public final class WebhookVerifier {
    /** How many seconds old, or ahead of the clock, a delivery should at most be. */
    public static final long DEFAULT_TOLERANCE_S = 300;
    /** As the tolerance: deliveries of any age are accepted. */
    public static final long ANY_AGE = -1;

    /** Respond with 400, and do not trust anything in the body. The code is stable; vectors.json lists the codes. */
    public static final class VerificationException extends Exception {
        public final String code;

        VerificationException(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final List<String> secrets;
    private final long toleranceS;

    /** The signing secrets, each exactly as displayed; during a rotation the old one and the new one. */
    public WebhookVerifier(List<String> secrets, long toleranceS) throws VerificationException {
        if (secrets.isEmpty()) throw new VerificationException("secret_invalid", "There is no signing secret.");
        for (String secret : secrets)
            if (!secret.matches("whsec_(?:[A-Za-z0-9+/]{4})+"))
                throw new VerificationException("secret_invalid", "The signing secret is whsec_…, exactly as displayed.");
        this.secrets = List.copyOf(secrets);
        this.toleranceS = toleranceS;
    }

    /**
     * Throws unless the service sent these bytes, and sent them recently.
     *
     * @param rawBody the body before any parser
     * @param header the value of a header, or null without it: {@code request::getHeader}
     * @param nowS {@code Instant.now().getEpochSecond()}
     */
    public void verify(byte[] rawBody, Function<String, String> header, long nowS) throws VerificationException {
        String signature = header.apply("X-Service-Signature");
        if (signature == null)
            throw new VerificationException("signature_missing", "The X-Service-Signature header is missing.");
        if (!signature.matches("[0-9a-fA-F]{128}"))
            throw new VerificationException("signature_malformed", "X-Service-Signature must be 128 hex digits.");
        boolean isService = false;
        boolean isStandard = false;
        for (String secret : secrets) {
            String expected = hex(hmac("HmacSHA512", secret.getBytes(UTF_8), rawBody));
            isService |= isEqual(expected, signature.toLowerCase(Locale.ROOT));
            isStandard |= hasStandardSignature(rawBody, header, secret);
        }
        if (!isService && !isStandard)
            throw new VerificationException("signature_mismatch", "The signature does not match this body and secret.");
        if (toleranceS != ANY_AGE) assertRecent(header, isStandard, nowS);
    }

    /** Only the Standard Webhooks signature covers the time, so a delivery without it could be a recorded one. */
    private void assertRecent(Function<String, String> header, boolean isStandard, long nowS) throws VerificationException {
        for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature"))
            if (header.apply(name) == null)
                throw new VerificationException("timestamp_missing", "The " + name + " header is missing.");
        String timestamp = header.apply("webhook-timestamp");
        if (!timestamp.matches("[0-9]{1,12}"))
            throw new VerificationException("timestamp_malformed", "webhook-timestamp must be the seconds since 1970.");
        if (!isStandard)
            throw new VerificationException("signature_mismatch", "webhook-signature does not sign this id, time and body.");
        long ageS = nowS - Long.parseLong(timestamp);
        if (ageS > toleranceS) throw new VerificationException("timestamp_too_old", "This was sent " + ageS + " s ago.");
        if (-ageS > toleranceS)
            throw new VerificationException("timestamp_in_future", "This was sent " + -ageS + " s in the future.");
    }

    private static boolean hasStandardSignature(byte[] rawBody, Function<String, String> header, String secret) {
        String signatures = header.apply("webhook-signature");
        if (signatures == null) return false;
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        byte[] prefix = (header.apply("webhook-id") + "." + header.apply("webhook-timestamp") + ".").getBytes(UTF_8);
        String expected = "v1," + Base64.getEncoder().encodeToString(hmac("HmacSHA256", key, prefix, rawBody));
        boolean found = false;
        for (String each : signatures.split(" ")) found |= isEqual(expected, each);
        return found;
    }

    private static byte[] hmac(String algorithm, byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            for (byte[] part : parts) mac.update(part);
            return mac.doFinal();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String hex(byte[] bytes) {
        StringBuilder digits = new StringBuilder();
        for (byte each : bytes) digits.append(String.format("%02x", each));
        return digits.toString();
    }

    private static boolean isEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }
}
