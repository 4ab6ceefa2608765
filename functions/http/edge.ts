/** What Cloudflare's edge knows of a request. */
import { z } from "zod";

const Cf = z.object({ cf: z.object({ country: z.string() }) });

/** The country the request came from, as the edge saw it; undefined outside Cloudflare. */
export function edgeCountry(request: Request): string | undefined {
  const parsed = Cf.safeParse({ cf: "cf" in request ? request.cf : undefined });
  return parsed.success ? parsed.data.cf.country : undefined;
}
