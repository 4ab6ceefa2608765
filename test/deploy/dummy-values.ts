/** A value of the right form for every variable that a deployment must have. */
const secret = (letter: string) => letter.repeat(64);

export const DUMMY_VALUES: Readonly<Record<string, string>> = {
  CLOUDFLARE_ACCOUNT_ID: "0123456789abcdef0123456789abcdef",
  CLOUDFLARE_API_TOKEN: "dummy-cloudflare-token",
  PARTYKIT_LOGIN: "studio",
  PARTYKIT_TOKEN: "dummy-partykit-token",
  API_URL: "https://edgeboard-production.studio.workers.dev",
  PARTY_URL: "https://edgeboard-production.studio.partykit.dev",
  DATABASE_URL: "postgresql://user:password@ep-dummy-123456-pooler.eu-central-1.aws.neon.tech/edgeboard",
  UPSTASH_REDIS_REST_URL: "https://dummy-12345.upstash.io",
  UPSTASH_REDIS_REST_TOKEN: "dummy-upstash-token",
  PARTY_PUSH_SECRET: secret("a"),
  SERVER_KEY: secret("b"),
};
