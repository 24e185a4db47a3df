import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * One kept-alive connection that sends one request at a time, from a loopback address of its own: the service limits
 * requests by address. It does as little as it can, since it shares the machine with what is measured.
 */
export class KeepAliveClient {
  readonly #socket: Socket;
  readonly #head: string;
  #text = "";
  #answered: ((answer: string) => void) | undefined;

  private constructor(socket: Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => this.#onData(bytes.toString("latin1")));
  }

  /** Connects; `head` is the request line and headers but for the length. */
  static async open(port: number, localAddress: string, head: string): Promise<KeepAliveClient> {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    await once(socket, "connect");
    return new KeepAliveClient(socket, head);
  }

  /** Sends a body; answers status line, headers and body as they came. */
  post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#socket.once("close", () => reject(new Error("the service closed the connection")));
      this.#socket.write(`${this.#head}content-length: ${body.length}\r\n\r\n${body}`);
    });
  }

  close(): void {
    this.#socket.removeAllListeners("close").destroy();
  }

  #onData(text: string): void {
    this.#text += text;
    const end = this.#text.indexOf("\r\n\r\n");
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1];
    if (end === -1 || this.#text.length < end + 4 + Number(length)) return;
    const answer = this.#text;
    this.#text = "";
    this.#socket.removeAllListeners("close");
    this.#answered?.(answer);
  }
}
