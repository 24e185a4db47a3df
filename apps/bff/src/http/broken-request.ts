import type { Duplex } from "node:stream";
import { STATUS_CODES } from "node:http";
import { type Failure, fail } from "../failure.ts";
import { problemText, statusOf } from "./problem.ts";

/** Answers bytes that are no HTTP request, too many headers, or a request that took too long; then the connection ends. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = failureOf(error.code);
  const body = problemText(failure);
  const status = statusOf(failure);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "Content-Type: application/problem+json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

function failureOf(code: string | undefined): Failure {
  return fail(code === "HPE_HEADER_OVERFLOW" ? "request.too_large" : "request.invalid");
}
