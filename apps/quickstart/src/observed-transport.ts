import { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import type { StdioLaunch } from "@eve/mcp-guard";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** How a server process ended, and all it wrote to stderr. */
export interface Ending {
  /** The exit code; null where a signal ended it or it never ran. */
  readonly exit: number | null;
  readonly stderr: string;
}

/** The official client's transport, which hides how its server ended: this one tells, and ends it when `signal` aborts. */
export class ObservedTransport extends StdioClientTransport {
  readonly #signal: AbortSignal;
  #stderr: Promise<string>;
  #exit: Promise<number | null> = Promise.resolve(null);

  constructor({ command, args, env, cwd }: StdioLaunch, signal: AbortSignal) {
    super({
      command,
      args: [...args],
      env: { ...env },
      ...(cwd !== undefined && { cwd }),
      stderr: "pipe",
    });
    this.#signal = signal;
    this.#stderr = this.stderr instanceof Readable ? text(this.stderr) : Promise.resolve("");
  }

  override async start(): Promise<void> {
    let child: ChildProcess | undefined;
    const onChild = (message: unknown): void => {
      const made: unknown =
        typeof message === "object" && message !== null && "process" in message
          ? message.process
          : undefined;
      if (made instanceof ChildProcess) child = made;
    };
    // Node tells of each child on this channel; start() makes its own before it first waits.
    subscribe("child_process", onChild);
    const started = super.start();
    unsubscribe("child_process", onChild);
    if (child?.pid === undefined) this.#stderr = Promise.resolve(""); // nothing will ever end the stream
    else this.#observe(child);
    return started;
  }

  /** Resolves when the process has ended and its stderr was read. Call it after close(). */
  async ending(): Promise<Ending> {
    const [exit, stderr] = await Promise.all([this.#exit, this.#stderr]);
    return { exit, stderr };
  }

  #observe(child: ChildProcess): void {
    const kill = (): void => void child.kill("SIGKILL");
    this.#signal.addEventListener("abort", kill);
    this.#exit = new Promise((resolve) => {
      child.once("exit", (code) => {
        this.#signal.removeEventListener("abort", kill);
        resolve(code);
      });
    });
  }
}
