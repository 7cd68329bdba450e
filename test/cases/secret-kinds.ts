/** Made-up secrets of every kind that is recognised by its shape; each holds the word KANARIE. */
export const SECRET_KINDS: Record<string, string> = {
  anthropic: `sk-ant-api03-KANARIE${"A".repeat(70)}`,
  openai: `sk-proj-KANARIE${"b7".repeat(20)}`,
  github: `ghp_KANARIE${"c".repeat(30)}`,
  "aws id": "AKIAKANARIE000000000",
  slack: "xoxb-KANARIE-000-fff",
  "telegram bot": `bot7012345678:AAKANARIE${"k3".repeat(13)}`,
  google: `AIzaKANARIE${"h".repeat(30)}`,
  jwt: "eyJhbGciOiJub25lIn0.eyJLQU5BUklFIjoxfQ.KANARIE",
  address: "postgres://user:KANARIEPASS@db.example/x",
  header: `Authorization: Bearer KANARIE${"j".repeat(30)}`,
  setting: "API_KEY='KANARIE KEY'",
  json: '{"user":"pat","client":{"id":"shop","clientSecret":"KANARIEjson77"}}',
  "address query": `https://api.example.org/v1?page=2&access_token=KANARIE${"q8".repeat(10)}&x=1`,
  "private key": `-----BEGIN PRIVATE KEY-----\nKANARIE${"MIIEvQ".repeat(9)}\n-----END PRIVATE KEY-----`,
};

/** Of no shape: known because the daemon or an env file has it. */
export const KNOWN_BY_DAEMON = "orchid KANARIE lamp/7+post";
export const KNOWN_BY_ENV_FILE = "tulip KANARIE window 42";

/** Forms that nothing recognises: what holds them must be out of reach. */
export const UNRECOGNISED = [
  Buffer.from(Buffer.from(KNOWN_BY_ENV_FILE).toString("base64")).toString("base64"),
  [...KNOWN_BY_ENV_FILE].reverse().join(""),
];
