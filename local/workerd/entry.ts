/**
 * What workerd runs in the local stack: the Worker of wrangler.toml, and around it what Cloudflare puts around a Worker: static assets
 * that are served first, rate-limit bindings, and the address that fires the cron. `wrangler dev` does the same in three
 * more processes and hops (docs/decisions/0011).
 */
import worker from "#worker";
import { createAssets } from "./assets.ts";
import { createRateLimit } from "./rate-limit.ts";
import { LOCAL_BINDING, LocalBinding } from "./local-binding.ts";

interface ServerContext {
  waitUntil(work: Promise<unknown>): void;
}

const SCHEDULED = "/cdn-cgi/handler/scheduled";

let prepared: { readonly bindings: Record<string, unknown>; readonly assets: ReturnType<typeof createAssets> };

function prepare(env: Readonly<Record<string, unknown>>) {
  const { rateLimits, assets } = LocalBinding.parse(env[LOCAL_BINDING]);
  const bindings: Record<string, unknown> = { ...env };
  for (const { name, limit, period } of rateLimits) bindings[name] = createRateLimit(limit, period, () => Date.now());
  return { bindings, assets: createAssets(assets, env) };
}

/** Runs the scheduled handler and, as Cloudflare does, whatever it left to `waitUntil`. */
async function runScheduled(url: URL, bindings: Record<string, unknown>, context: ServerContext): Promise<Response> {
  const left: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => {
    left.push(work);
    context.waitUntil(work);
  };
  const controller = {
    cron: url.searchParams.get("cron") ?? "",
    scheduledTime: Number(url.searchParams.get("time") ?? Date.now()),
    noRetry: () => undefined,
  };
  await worker.scheduled?.(controller, bindings, { ...context, waitUntil });
  for (let done = 0; done < left.length; done += 1) await left[done];
  return new Response("ok");
}

export default {
  fetch(
    request: Request,
    env: Readonly<Record<string, unknown>>,
    context: ServerContext,
  ): Response | Promise<Response> {
    prepared ??= prepare(env);
    const { bindings, assets } = prepared;
    const asset = assets.serve(request);
    if (asset !== undefined) return asset;
    if (request.url.includes(SCHEDULED)) {
      const url = new URL(request.url);
      if (url.pathname === SCHEDULED) return runScheduled(url, bindings, context);
    }
    return worker.fetch(request, bindings, context);
  },
};
