import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A wire between a client and PostgreSQL that can be stopped and cut at a statement. */
export interface Wire extends AsyncDisposable {
  readonly url: string;
  /**
   * Stops at the next statement that holds `text`: before it is passed on, or, with `answer`, at the first bytes that
   * PostgreSQL answers to it. Resolves when it has stopped.
   */
  readonly stopAt: (text: string, at: Stop["at"]) => Promise<void>;
  /** Passes on what was stopped. */
  readonly release: () => void;
  /** Cuts every connection, without what was stopped. */
  readonly cut: () => void;
  /** How many statements that hold `text` were sent. */
  readonly sent: (text: string) => number;
  /** Goes to another server from the next connection on. */
  readonly lead: (url: string) => void;
}

interface Stop {
  readonly text: string;
  readonly at: "statement" | "answer";
  readonly reached: () => void;
}

/** What all connections of a wire share. */
interface Watch {
  stop: Stop | undefined;
  readonly sent: string[];
}

/** Puts a wire before the server of a URL. */
export async function startWire(url: string): Promise<Wire> {
  const watch: Watch = { stop: undefined, sent: [] };
  const connections = new Set<Connection>();
  let target = new URL(url);
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const connection = new Connection(client, upstream, watch);
    connections.add(connection);
    client.on("close", () => connections.delete(connection));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    watch.stop = undefined;
    for (const connection of connections) connection.cut();
  };
  return {
    url: at(url, server.address()),
    stopAt: (text, where) =>
      new Promise((reached) => {
        watch.stop = { text, at: where, reached };
      }),
    release: () => {
      watch.stop = undefined;
      for (const connection of connections) connection.release();
    },
    cut,
    sent: (text) => watch.sent.filter((one) => one.includes(text)).length,
    lead: (next) => {
      target = new URL(next);
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

function at(url: string, address: ReturnType<ReturnType<typeof createServer>["address"]>): string {
  if (address === null || typeof address === "string") throw new Error("the wire has no port");
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String(address.port);
  return own.href;
}

/** One connection: a stop holds both directions, in order, until it is released or cut. */
class Connection {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #watch: Watch;
  #isAsked = false;
  #isStopped = false;
  #held: (() => void)[] = [];

  constructor(client: Socket, upstream: Socket, watch: Watch) {
    this.#client = client;
    this.#upstream = upstream;
    this.#watch = watch;
    client.on("data", (bytes: Buffer) => this.#onStatement(bytes));
    upstream.on("data", (bytes: Buffer) => this.#onAnswer(bytes));
    for (const socket of [client, upstream]) {
      socket.on("error", () => undefined);
      socket.on("close", () => this.cut());
    }
  }

  cut(): void {
    this.#held = [];
    this.#client.destroy();
    this.#upstream.destroy();
  }

  release(): void {
    const held = this.#held;
    [this.#held, this.#isAsked, this.#isStopped] = [[], false, false];
    for (const pass of held) pass();
  }

  #onStatement(bytes: Buffer): void {
    const { stop, sent } = this.#watch;
    const text = bytes.toString("latin1");
    sent.push(text);
    const isIt = stop !== undefined && text.includes(stop.text);
    if (isIt) this.#isAsked = stop.at === "answer";
    this.#pass(this.#upstream, bytes, isIt && stop.at === "statement");
  }

  #onAnswer(bytes: Buffer): void {
    this.#pass(this.#client, bytes, this.#isAsked);
  }

  #pass(to: Socket, bytes: Buffer, stops: boolean): void {
    if (stops && !this.#isStopped) {
      this.#isStopped = true;
      this.#watch.stop?.reached();
    }
    if (this.#isStopped) this.#held.push(() => void to.write(bytes));
    else to.write(bytes);
  }
}
