// Package collect verifies webhooks of the Merchant Collection API. Go 1.18 or later, no dependencies.
package collect

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// VerificationError says why a request is refused. Respond with 400, and do not trust anything in the body. Code is stable;
// vectors.json lists the codes.
type VerificationError struct{ Code, Message string }

func (e *VerificationError) Error() string { return e.Message }

// AnyAge as the tolerance accepts deliveries of any age.
const AnyAge time.Duration = -1

// DefaultTolerance is how old, or ahead of the clock, a delivery should at most be.
const DefaultTolerance = 5 * time.Minute

var (
	isSecret    = regexp.MustCompile(`^whsec_(?:[A-Za-z0-9+/]{4})+$`)
	isSignature = regexp.MustCompile(`^[0-9a-fA-F]{128}$`)
	isTimestamp = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// VerifyWebhook returns a *VerificationError unless the service sent these bytes, and sent them recently. body is the body
// before any parser: io.ReadAll(r.Body). secrets are the signing secrets, each exactly as displayed; during a rotation the
// old one and the new one. now is time.Now().
func VerifyWebhook(body []byte, headers http.Header, secrets []string, tolerance time.Duration, now time.Time) error {
	if len(secrets) == 0 {
		return &VerificationError{"secret_invalid", "There is no signing secret."}
	}
	for _, secret := range secrets {
		if !isSecret.MatchString(secret) {
			return &VerificationError{"secret_invalid", "The signing secret is whsec_…, exactly as displayed."}
		}
	}
	signatures := headers.Values("X-Service-Signature")
	if len(signatures) == 0 {
		return &VerificationError{"signature_missing", "The X-Service-Signature header is missing."}
	}
	if len(signatures) > 1 || !isSignature.MatchString(signatures[0]) {
		return &VerificationError{"signature_malformed", "X-Service-Signature must be 128 hex digits."}
	}
	given, _ := hex.DecodeString(signatures[0])
	isService, isStandard := false, false
	for _, secret := range secrets {
		expected := hmac.New(sha512.New, []byte(secret))
		expected.Write(body)
		isService = hmac.Equal(given, expected.Sum(nil)) || isService
		isStandard = hasStandardSignature(body, headers, secret) || isStandard
	}
	if !isService && !isStandard {
		return &VerificationError{"signature_mismatch", "The signature does not match this body and secret."}
	}
	if tolerance < 0 {
		return nil
	}
	return assertRecent(headers, isStandard, int64(tolerance.Seconds()), now.Unix())
}

// Only the Standard Webhooks signature covers the time, so a delivery without it could be a recorded one.
func assertRecent(headers http.Header, isStandard bool, toleranceS int64, now int64) error {
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if len(headers.Values(name)) != 1 {
			return &VerificationError{"timestamp_missing", "The " + name + " header is missing."}
		}
	}
	if !isTimestamp.MatchString(headers.Get("Webhook-Timestamp")) {
		return &VerificationError{"timestamp_malformed", "webhook-timestamp must be the seconds since 1970."}
	}
	if !isStandard {
		return &VerificationError{"signature_mismatch", "webhook-signature does not sign this id, time and body."}
	}
	sentAt, _ := strconv.ParseInt(headers.Get("Webhook-Timestamp"), 10, 64)
	ageS := now - sentAt
	if ageS > toleranceS {
		return &VerificationError{"timestamp_too_old", fmt.Sprintf("This was sent %d s ago.", ageS)}
	}
	if -ageS > toleranceS {
		return &VerificationError{"timestamp_in_future", fmt.Sprintf("This was sent %d s in the future.", -ageS)}
	}
	return nil
}

func hasStandardSignature(body []byte, headers http.Header, secret string) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	expected := hmac.New(sha256.New, key)
	expected.Write([]byte(headers.Get("Webhook-Id") + "." + headers.Get("Webhook-Timestamp") + "."))
	expected.Write(body)
	signature := []byte("v1," + base64.StdEncoding.EncodeToString(expected.Sum(nil)))
	found := false
	for _, each := range strings.Split(headers.Get("Webhook-Signature"), " ") {
		found = hmac.Equal([]byte(each), signature) || found
	}
	return found
}
