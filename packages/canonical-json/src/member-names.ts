import { NameIndex } from "./name-index.ts";

const FEW = 8;

/** The names one object has used so far. Most objects have few, and those are compared one by one. */
export class MemberNames {
  readonly #few: string[] = [];
  #many: NameIndex | undefined;

  /** Adds a name; false where the object has it. */
  add(name: string): boolean {
    if (this.#many !== undefined) return this.#many.add(name);
    for (const known of this.#few) if (known === name) return false;
    if (this.#few.push(name) > FEW) {
      this.#many = new NameIndex();
      for (const known of this.#few) this.#many.add(known);
    }
    return true;
  }
}
