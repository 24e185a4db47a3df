import { Writable } from "node:stream";
import { createLineReader, parseRpcLine, type RpcId } from "@eve/mcp-guard";
import { MAX_LINE_BYTES } from "./opening-request.ts";

/**
 * A stream that hands everything on to `stdout`, unchanged, and tells which requests were answered on the way, so
 * that none is answered twice.
 */
export function watchAnswers(stdout: Writable, onAnswer: (id: RpcId) => void): Writable {
  const reader = createLineReader(MAX_LINE_BYTES * 8);
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of reader.push(chunk).lines) {
        const parsed = parseRpcLine(line, MAX_LINE_BYTES * 8);
        if (!parsed.ok) continue;
        const { message } = parsed;
        const isAnswer = message.kind === "result" || message.kind === "error";
        if (isAnswer && message.id !== null) onAnswer(message.id);
      }
      stdout.write(chunk, (error) => done(error));
    },
  });
}
