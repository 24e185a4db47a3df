import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Checkpoint, checkpointLine } from "../../src/audit/checkpoint.ts";
import {
  appendCheckpoint,
  beginCheckpoints,
  readCheckpoints,
  readNewest,
  thinned,
} from "../../src/audit/checkpoint-file.ts";
import { newSigningPair } from "../../src/audit/signing-keys.ts";

const folder = mkdtempSync(join(tmpdir(), "eve-checkpoints-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = createPrivateKey(newSigningPair().secret);
const trust = { key: createPublicKey(secret), environment: "here" };
let made = 0;

function at(seq: number, environment = "here"): Checkpoint {
  return { seq, link: Buffer.alloc(32, seq % 256), environment, at: "2026-12-01T00:00:00.000Z" };
}

/** A new file with checkpoints of these places. */
function fileOf(...seqs: readonly number[]): string {
  made += 1;
  const file = join(folder, `${made}.jsonl`);
  writeFileSync(file, seqs.map((seq) => `${checkpointLine(at(seq), secret)}\n`).join(""));
  return file;
}

function seqsIn(file: string): readonly number[] {
  const read = readCheckpoints(file, trust);
  if (!read.ok) throw new Error(read.fault);
  return read.all.map(({ seq }) => seq);
}

describe("a file of checkpoints", () => {
  test("begins with one, and never where a file is", () => {
    const file = join(folder, "begun.jsonl");
    beginCheckpoints(file, at(0), secret);
    expect(seqsIn(file)).toEqual([0]);
    expect(() => beginCheckpoints(file, at(1), secret)).toThrow("EEXIST");
    expect(seqsIn(file)).toEqual([0]);
  });

  test("takes one line more at its end, and the newest is read from there", () => {
    const file = fileOf(0, 5);
    appendCheckpoint(file, at(9), secret);
    expect(seqsIn(file)).toEqual([0, 5, 9]);
    expect(readNewest(file, trust)).toEqual(at(9));
  });

  test("whose last line was cut off is read without it, and mended by the next", () => {
    const file = fileOf(0, 5);
    const whole = readFileSync(file, "utf8");
    for (const lost of [1, 2, 50, 200]) {
      writeFileSync(file, `${whole}${checkpointLine(at(7), secret)}\n`.slice(0, -lost));
      expect(seqsIn(file)).toEqual([0, 5]);
      expect(readNewest(file, trust)).toEqual(at(5));
    }
    appendCheckpoint(file, at(8), secret);
    expect(seqsIn(file)).toEqual([0, 5, 8]);
  });

  test("is thinned out at 2,000 lines, the older the more, and keeps its first and its newest", () => {
    const file = fileOf(...Array.from({ length: 1_999 }, (_, seq) => seq));
    appendCheckpoint(file, at(1_999), secret);
    expect(seqsIn(file)).toHaveLength(2_000);
    appendCheckpoint(file, at(2_000), secret);
    const seqs = seqsIn(file);
    expect(seqs).toHaveLength(1_501);
    expect(seqs.slice(0, 3)).toEqual([0, 2, 4]);
    expect(seqs.slice(-1_001)).toEqual(Array.from({ length: 1_001 }, (_, more) => 1_000 + more));
    expect(statSync(file).size).toBeLessThan(1024 * 1024);
    expect(thinned([1])).toEqual([1]);
  });

  test.each([
    ["another environment", checkpointLine(at(9, "there"), secret), "other_environment"],
    [
      "another key",
      checkpointLine(at(9), createPrivateKey(newSigningPair().secret)),
      "signature_invalid",
    ],
    [
      "another link",
      checkpointLine(at(9), secret).replace(/"link":"0/, '"link":"1'),
      "signature_invalid",
    ],
    [
      "another place",
      checkpointLine(at(9), secret).replace('"seq":9', '"seq":8'),
      "signature_invalid",
    ],
    ["another time", checkpointLine(at(9), secret).replace("2026-", "2027-"), "signature_invalid"],
    [
      "no signature",
      checkpointLine(at(9), secret).replace(/,"signature":"[^"]+"/, ""),
      "not_a_checkpoint",
    ],
    [
      "a field twice",
      checkpointLine(at(9), secret).replace('"seq":9', '"seq":9,"seq":9'),
      "not_a_checkpoint",
    ],
    [
      "a field more",
      checkpointLine(at(9), secret).replace('"seq":9', '"more":1,"seq":9'),
      "not_a_checkpoint",
    ],
    [
      "a negative place",
      checkpointLine(at(9), secret).replace('"seq":9', '"seq":-9'),
      "not_a_checkpoint",
    ],
    ["nothing in it", "", "not_a_checkpoint"],
  ] as const)("says nothing with a line with %s: %s", (_, line, fault) => {
    const file = fileOf(0, 5);
    writeFileSync(file, `${line}\n`, { flag: "a" });
    expect(readCheckpoints(file, trust)).toEqual({ ok: false, fault, line: 3 });
    expect(readNewest(file, trust)).toBe(fault);
  });

  test.each([[[5, 5]], [[5, 4]], [[0, 9, 8, 10]]])(
    "says nothing with places %j, which do not rise",
    (seqs) => {
      expect(readCheckpoints(fileOf(...seqs), trust)).toMatchObject({ fault: "out_of_order" });
    },
  );

  test("says nothing where it is missing, empty, a folder, or has one line without an end", () => {
    const [empty, cut] = [fileOf(), fileOf()];
    writeFileSync(cut, checkpointLine(at(0), secret));
    for (const [file, fault] of [
      [join(folder, "none"), "missing"],
      [empty, "empty"],
      [cut, "empty"],
      [folder, "not_regular"],
    ] as const) {
      expect(readCheckpoints(file, trust)).toMatchObject({ fault });
      expect(readNewest(file, trust)).toBe(fault);
    }
  });
});
