import fc from "fast-check";

/** Numbers at and beyond what a double keeps, beside plain ones. */
const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom("-0", "-0.5", "0.0", "1e400", "1E5", "1e-400", "9007199254740991"),
  fc.constantFrom("9007199254740992", "9007199254740993", "-9007199254740993", "1".repeat(400)),
  fc.constantFrom(`0.${"0".repeat(400)}1`, "0.1", "100000000000000000000"),
);

/** Letters of strings as JSON may spell them, the delicate ones among them. */
const letters = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "\\u0061",
      "\\n",
      '\\"',
      "\\\\",
      "é",
      "😀",
      "\\/",
      "\\u0000",
      "u0000",
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));
const surrogates = fc.constantFrom("\\ud83d\\ude00", "\\ud800", "\\uDFFF", "\\\\ud800", "\\ud7ff");
const string = fc
  .oneof({ weight: 9, arbitrary: letters }, { weight: 1, arbitrary: surrogates })
  .map((text) => `"${text}"`);
const name = fc.oneof(
  { weight: 8, arbitrary: letters.map((text) => `"${text}"`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"__proto__"', '"\\u005f_proto__"', '"constructor"', '"prototype"'),
  },
);
const space = fc.constantFrom("", "", "", " ", "\n", "\t\r ");

/** JSON texts of every spelling: repeated names, delicate numbers and escapes, white space; all of them grammatical. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const list = fc.array(fc.tuple(space, tie("value"), space), { maxLength: 4 });
  const members = fc.array(fc.tuple(space, name, space, space, tie("value"), space), {
    maxLength: 5,
  });
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("null", "true", "false"),
      number,
      string,
      list.map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
      members.map(
        (all) =>
          `{${all.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`).join(",")}}`,
      ),
    ),
  };
}).value;
