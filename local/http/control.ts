import { z } from "zod";
import type { FaultBox } from "./faults.ts";
import type { Reply } from "./reply.ts";
import { emptyStats, type Stats } from "./stats.ts";

interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly faults: FaultBox;
  readonly state: { stats: Stats };
}

/** Answers the test controls of an endpoint: `/__faults` and `/__stats`. They are no part of the vendor's protocol. */
export function answerControl({ method, path, body, faults, state }: ControlRequest): Reply {
  switch (`${method} ${path}`) {
    case "GET /__faults":
      return json(200, faults.list());
    case "POST /__faults":
      return replaceFaults(body, faults);
    case "GET /__stats":
      return json(200, state.stats);
    case "DELETE /__stats":
      state.stats = emptyStats();
      return json(200, state.stats);
    default:
      return json(404, { error: "the controls are GET and POST /__faults, GET and DELETE /__stats" });
  }
}

function replaceFaults(body: string, faults: FaultBox): Reply {
  try {
    faults.replace(JSON.parse(body));
    return json(200, faults.list());
  } catch (error) {
    return json(400, { error: error instanceof z.ZodError ? z.prettifyError(error) : "the body is not JSON" });
  }
}

function json(status: number, value: unknown): Reply {
  return { status, body: JSON.stringify(value) };
}
