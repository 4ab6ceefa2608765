/** What the stack tells entry.ts, as one JSON binding beside the Worker's own. */
import { z } from "zod";

export const LOCAL_BINDING = "EDGEBOARD_LOCAL";

/** What `_headers` adds. */
const Headers = z.array(z.tuple([z.string(), z.string()]));

/** One static file; its bytes are the data binding `binding`. */
const Asset = z.object({
  path: z.string(),
  binding: z.string(),
  etag: z.string(),
  contentType: z.string(),
  headers: Headers,
  /** Addresses that lead to `path`. */
  redirects: z.array(z.object({ path: z.string(), headers: Headers })),
});
export type Asset = z.infer<typeof Asset>;

export const LocalBinding = z.object({
  rateLimits: z.array(z.object({ name: z.string(), limit: z.int(), period: z.int() })),
  assets: z.array(Asset),
});
export type LocalBinding = z.infer<typeof LocalBinding>;
