import { bearerMac, isBearer } from "../credentials/bearer.ts";
import type { BffKeys } from "../credentials/keys.ts";
import type { Authenticated } from "./authenticate.ts";
import type { Caller } from "./database.ts";

/** How many are kept, the newest. */
const MOST = 1024;

/**
 * Who was authenticated lately, and the newest time of the database that was told. Neither grants anything: an execution
 * hands both over, and the database takes them only where they are still so. Kept by the bearer's MAC, not by its text.
 */
export class RecentCallers {
  /** Epoch ms, by the database's clock; `undefined` until it was told. */
  newestTime: number | undefined = undefined;
  readonly #callers = new Map<string, Caller>();
  readonly #fields = new WeakMap<Caller, readonly string[]>();
  readonly #keys: BffKeys;

  constructor(keys: BffKeys) {
    this.#keys = keys;
  }

  remember(bearer: string, { caller, fields }: Authenticated): void {
    const key = this.#keyOf(bearer);
    this.#callers.delete(key);
    this.#callers.set(key, caller);
    this.#fields.set(caller, fields);
    const [oldest] = this.#callers.keys();
    if (this.#callers.size > MOST && oldest !== undefined) this.#callers.delete(oldest);
  }

  forget(bearer: string): void {
    if (isBearer(bearer)) this.#callers.delete(this.#keyOf(bearer));
  }

  recall(bearer: string): Caller | undefined {
    return isBearer(bearer) ? this.#callers.get(this.#keyOf(bearer)) : undefined;
  }

  /** The columns of the credential, as they were when its seal was checked. */
  fieldsOf(caller: Caller): readonly string[] | undefined {
    return this.#fields.get(caller);
  }

  #keyOf(bearer: string): string {
    return bearerMac(this.#keys, bearer).toString("hex");
  }
}
