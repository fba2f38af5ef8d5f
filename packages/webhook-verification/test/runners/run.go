package main

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	collect "vectors/collect"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		now, _ := strconv.ParseInt(fields[0], 10, 64)
		tolerance := collect.AnyAge
		if fields[1] != "any" {
			seconds, _ := strconv.Atoi(fields[1])
			tolerance = time.Duration(seconds) * time.Second
		}
		var secrets []string
		if fields[2] != "" {
			secrets = strings.Split(fields[2], ",")
		}
		body, _ := base64.StdEncoding.DecodeString(fields[3])
		pairs, _ := base64.StdEncoding.DecodeString(fields[4])
		headers := http.Header{}
		for _, pair := range strings.Split(string(pairs), "\n") {
			if name, value, found := strings.Cut(pair, ": "); found {
				headers.Add(name, value)
			}
		}
		var refused *collect.VerificationError
		if err := collect.VerifyWebhook(body, headers, secrets, tolerance, time.Unix(now, 0)); errors.As(err, &refused) {
			fmt.Println(refused.Code)
		} else {
			fmt.Println("valid")
		}
	}
}
