/** Steps over taken slots that are expected at most, per name: beyond them the names were made to collide. */
const FAIR_STEPS = 8;
const FIRST_SLOTS = 64;

/**
 * The many names of one large object, as an open-addressed hash table: several times faster than a Set of a million
 * names. Its hash has no secret, so names can be made to collide; where they are, it goes on as a Set, whose hash has.
 */
export class NameIndex {
  readonly #names: string[] = [];
  readonly #hashes: number[] = [];
  /** At each hash's slot or after it: 1 + an index of the names, or 0 for a free slot. */
  #slots = new Int32Array(FIRST_SLOTS);
  #steps = 0;
  #set: Set<string> | undefined;

  /** Adds a name; false where it was added before. */
  add(name: string): boolean {
    if (this.#set !== undefined) return this.#set.size < this.#set.add(name).size;
    const hash = hashOf(name);
    const slot = this.#slotFor(name, hash);
    if (this.#slots[slot] !== 0) return false;
    this.#hashes.push(hash);
    this.#slots[slot] = this.#names.push(name);
    if (this.#steps > FAIR_STEPS * (this.#names.length + FIRST_SLOTS))
      this.#set = new Set(this.#names);
    else if (this.#names.length * 2 > this.#slots.length) this.#grow();
    return true;
  }

  /** The slot that holds the name, or the free one where it belongs. */
  #slotFor(name: string, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let held = slots[slot]; held !== undefined && held !== 0; held = slots[slot]) {
      if (this.#hashes[held - 1] === hash && this.#names[held - 1] === name) return slot;
      slot = (slot + 1) & mask;
      this.#steps++;
    }
    return slot;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#hashes.length; index++) {
      let slot = (this.#hashes[index] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

/** FNV-1a over UTF-16 code units, then the finalizer of MurmurHash3, which spreads it to the low bits. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
