/** Parses what a test's own partner wrote, in the shape that the test looks at. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape
export function fromJson<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not so fails the test's expectation
  return JSON.parse(text) as T;
}
