/** Static files as Cloudflare serves them before the Worker runs: GET and HEAD only, a page without `.html`, ETag and 304. */
import type { Asset } from "./local-binding.ts";

interface Served {
  readonly asset: Asset;
  readonly body: ArrayBuffer;
  readonly headers: Asset["headers"];
  readonly redirected: boolean;
}

function bytesOf(value: unknown): ArrayBuffer {
  if (value instanceof ArrayBuffer) return value;
  throw new TypeError("a static file has no bytes");
}

export function createAssets(assets: readonly Asset[], env: Readonly<Record<string, unknown>>) {
  const addresses = new Map<string, Served>();
  for (const asset of assets) {
    const file = { asset, body: bytesOf(env[asset.binding]) };
    addresses.set(asset.path, { ...file, headers: asset.headers, redirected: false });
    for (const { path, headers } of asset.redirects) addresses.set(path, { ...file, headers, redirected: true });
  }

  /** The path of a URL, without making an object of it: this stands in the way of every request. */
  function pathOf(url: string): string {
    const start = url.indexOf("/", url.indexOf("://") + 3);
    const query = url.indexOf("?", start);
    return query === -1 ? url.slice(start) : url.slice(start, query);
  }

  return {
    /** The answer, or undefined when no file has this address. */
    serve(request: Request): Response | undefined {
      const served = addresses.get(pathOf(request.url));
      if (served === undefined) return undefined;
      const { asset, body, redirected } = served;
      const headers = new Headers(served.headers.map(([name, value]): [string, string] => [name, value]));
      if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405, headers });
      if (redirected) {
        headers.set("location", asset.path + new URL(request.url).search);
        return new Response(null, { status: 307, headers });
      }
      headers.set("etag", asset.etag);
      const known = request.headers.get("if-none-match");
      if (known === asset.etag || known === `W/${asset.etag}`) return new Response(null, { status: 304, headers });
      headers.set("content-type", asset.contentType);
      return new Response(request.method === "HEAD" ? null : body, { headers });
    },
  };
}
