import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

public final class Run {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String pair : new String(Base64.getDecoder().decode(fields[4]), UTF_8).split("\n")) {
                String[] parts = pair.split(": ", 2);
                if (parts.length == 2) headers.put(parts[0], parts[1]);
            }
            try {
                List<String> secrets = fields[2].isEmpty() ? List.of() : List.of(fields[2].split(","));
                long toleranceS = fields[1].equals("any") ? WebhookVerifier.ANY_AGE : Long.parseLong(fields[1]);
                new WebhookVerifier(secrets, toleranceS)
                    .verify(Base64.getDecoder().decode(fields[3]), headers::get, Long.parseLong(fields[0]));
                System.out.println("valid");
            } catch (WebhookVerifier.VerificationException error) {
                System.out.println(error.code);
            }
        }
    }
}
