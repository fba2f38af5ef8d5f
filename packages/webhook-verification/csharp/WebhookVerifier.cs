using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Collect
{
    /// <summary>Respond with 400, and do not trust anything in the body. Code is stable; vectors.json lists the codes.</summary>
    public sealed class WebhookVerificationException : Exception
    {
        public string Code { get; }

        public WebhookVerificationException(string code, string message) : base(message)
        {
            Code = code;
        }
    }

    /// <summary>Verification of webhooks of the Merchant Collection API. C# 7 or later, no dependencies.</summary>
    public static class WebhookVerifier
    {
        /// <summary>Throws unless the service sent these bytes, and sent them recently.</summary>
        /// <param name="rawBody">The body before any parser.</param>
        /// <param name="header">The value of a header, or null without it: name => request.Headers[name].FirstOrDefault()</param>
        /// <param name="secrets">Each exactly as displayed; during a rotation the old one and the new one.</param>
        /// <param name="nowS">DateTimeOffset.UtcNow.ToUnixTimeSeconds()</param>
        /// <param name="toleranceS">How many seconds old, or ahead of this clock, a delivery may be; null accepts any age.</param>
        public static void Verify(
            byte[] rawBody, Func<string, string> header, IReadOnlyList<string> secrets, long nowS, long? toleranceS = 300)
        {
            if (secrets.Count == 0) throw Refused("secret_invalid", "There is no signing secret.");
            if (!secrets.All(secret => Regex.IsMatch(secret, @"\Awhsec_(?:[A-Za-z0-9+/]{4})+\z")))
                throw Refused("secret_invalid", "The signing secret is whsec_…, exactly as displayed.");
            var signature = header("X-Service-Signature");
            if (signature == null) throw Refused("signature_missing", "The X-Service-Signature header is missing.");
            if (!Regex.IsMatch(signature, @"\A[0-9a-fA-F]{128}\z"))
                throw Refused("signature_malformed", "X-Service-Signature must be 128 hex digits.");
            var isService = false;
            var isStandard = false;
            foreach (var secret in secrets)
            {
                isService |= IsEqual(ServiceSignature(rawBody, secret), signature.ToLowerInvariant());
                isStandard |= HasStandardSignature(rawBody, header, secret);
            }
            if (!isService && !isStandard)
                throw Refused("signature_mismatch", "The signature does not match this body and secret.");
            if (toleranceS != null) AssertRecent(header, isStandard, nowS, toleranceS.Value);
        }

        /// <summary>Only the Standard Webhooks signature covers the time: a delivery without it could be a recorded one.</summary>
        private static void AssertRecent(Func<string, string> header, bool isStandard, long nowS, long toleranceS)
        {
            foreach (var name in new[] { "webhook-id", "webhook-timestamp", "webhook-signature" })
                if (header(name) == null) throw Refused("timestamp_missing", "The " + name + " header is missing.");
            var timestamp = header("webhook-timestamp");
            if (!Regex.IsMatch(timestamp, @"\A[0-9]{1,12}\z"))
                throw Refused("timestamp_malformed", "webhook-timestamp must be the seconds since 1970.");
            if (!isStandard)
                throw Refused("signature_mismatch", "webhook-signature does not sign this id, time and body.");
            var ageS = nowS - long.Parse(timestamp);
            if (ageS > toleranceS) throw Refused("timestamp_too_old", "This was sent " + ageS + " s ago.");
            if (-ageS > toleranceS) throw Refused("timestamp_in_future", "This was sent " + -ageS + " s in the future.");
        }

        private static string ServiceSignature(byte[] rawBody, string secret)
        {
            using (var hmac = new HMACSHA512(Encoding.UTF8.GetBytes(secret)))
                return BitConverter.ToString(hmac.ComputeHash(rawBody)).Replace("-", "").ToLowerInvariant();
        }

        private static bool HasStandardSignature(byte[] rawBody, Func<string, string> header, string secret)
        {
            var prefix = Encoding.UTF8.GetBytes(header("webhook-id") + "." + header("webhook-timestamp") + ".");
            using (var hmac = new HMACSHA256(Convert.FromBase64String(secret.Substring("whsec_".Length))))
            {
                var expected = "v1," + Convert.ToBase64String(hmac.ComputeHash(prefix.Concat(rawBody).ToArray()));
                var found = false;
                foreach (var each in (header("webhook-signature") ?? "").Split(' ')) found |= IsEqual(expected, each);
                return found;
            }
        }

        /// <summary>In constant time. .NET Core has CryptographicOperations.FixedTimeEquals for this, .NET Framework has not.</summary>
        private static bool IsEqual(string expected, string given)
        {
            var difference = expected.Length ^ given.Length;
            for (var at = 0; at < Math.Min(expected.Length, given.Length); at++) difference |= expected[at] ^ given[at];
            return difference == 0;
        }

        private static WebhookVerificationException Refused(string code, string message)
        {
            return new WebhookVerificationException(code, message);
        }
    }
}
