using System;
using System.Collections.Generic;
using System.Text;
using Collect;

public static class Run
{
    public static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var fields = line.Split('\t');
            var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var pair in Encoding.UTF8.GetString(Convert.FromBase64String(fields[4])).Split('\n'))
            {
                var at = pair.IndexOf(": ");
                if (at > 0) headers[pair.Substring(0, at)] = pair.Substring(at + 2);
            }
            try
            {
                WebhookVerifier.Verify(
                    Convert.FromBase64String(fields[3]),
                    name => headers.TryGetValue(name, out var value) ? value : null,
                    fields[2] == "" ? new string[0] : fields[2].Split(','),
                    long.Parse(fields[0]),
                    fields[1] == "any" ? (long?)null : long.Parse(fields[1]));
                Console.WriteLine("valid");
            }
            catch (WebhookVerificationException error)
            {
                Console.WriteLine(error.Code);
            }
        }
    }
}
