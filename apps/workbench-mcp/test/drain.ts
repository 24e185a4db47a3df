import type { Readable } from "node:stream";

/** All text that lies in a stream now; one `read()` answers one chunk. */
export function drain(stream: Readable): string {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk: unknown = stream.read();
    if (!Buffer.isBuffer(chunk)) return Buffer.concat(chunks).toString();
    chunks.push(chunk);
  }
}
