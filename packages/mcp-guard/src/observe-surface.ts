import { type ObservedSurface, observeThrough, type SurfaceRequest } from "./read-surface.ts";
import { openSession, type WireChannel } from "./wire-session.ts";

/**
 * Reads the whole surface of a server over a fresh channel, from raw wire bytes: opening, every page of tools/list,
 * and of prompts and resources where they are declared. A list that changes during the reading is read once more;
 * a second change refuses. Never rejects; the channel is left open and unread. Codes: `surface.unavailable`,
 * `surface.pagination_invalid`, `surface.too_large`, `surface.empty`, `protocol.framing`,
 * `protocol.version_unadmitted`. Whether a tool name is listed twice is judged at admission.
 */
export function observeSurface(
  channel: WireChannel,
  request: SurfaceRequest,
): Promise<ObservedSurface> {
  return observeThrough(request, ({ limits, refuse }) => openSession(channel, limits, refuse));
}
