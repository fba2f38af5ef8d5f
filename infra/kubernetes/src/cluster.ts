/**
 * What the deployment takes as given, and what it is called from outside. The values are examples: put yours here, run
 * `npm run document`, and review the YAML that it changes. Nothing here is secret.
 */
export const CLUSTER = {
  namespace: "collect",
  registry: "registry.example.com/collect",

  /** The public URLs, at which the cluster's own ingress reaches the Services. */
  urls: {
    api: "https://api.example.com/v1",
    docs: "https://api.example.com/docs",
    checkout: "https://pay.example.com",
    dashboard: "https://app.example.com",
    operators: "https://operators.example.com",
  },
  /**
   * The namespace of the ingress controller, and how many proxies a call comes through. Their networks instead, separated by
   * commas, only if nothing but proxies is in them: whatever else is in them, a pod or a caller, could claim any address.
   */
  ingress: { namespace: "ingress", proxies: "1" },

  /** The bank that speaks our own protocol: its API, and the network that it is in, because a NetworkPolicy knows no names. */
  bank: { url: "https://api.bank.example", code: "729", name: "Harbour Bank", network: "203.0.113.0/24" },
  /** Which partner live mode uses, and `providus` and `monnify`, once you have signed up with them: `Partners` says what belongs to each. */
  partners: { standard: "729" },
  /** The mail server behind SMTP_URL. */
  mail: { sender: "Collect <no-reply@example.com>", network: "198.51.100.0/24", port: 465 },
  /** The first operators and their public nkeys, `ada:U…,bola:U…`. With four eyes, it takes two. */
  operators: "",

  /** Where the Prometheus operator and its Prometheus run. */
  monitoring: { namespace: "monitoring", prometheus: "http://prometheus-operated.monitoring.svc:9090" },
  /** Where the operator of PostgreSQL runs. */
  postgres: { operatorNamespace: "cnpg-system" },
  /** Where base backups and WAL go. Each database has a folder of its own. */
  backups: { path: "s3://collect-backups", keptDays: 30 },
} as const;
