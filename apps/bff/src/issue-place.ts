import type * as z from "zod";

/** Where a value does not fit: the path of a field of ours. What was sent, names of unknown fields too, is not repeated. */
export function placeOf({ issues: [issue] }: z.ZodError, root = "body"): string {
  if (issue === undefined) return root;
  const path = [root, ...issue.path.map(String)].join(".");
  return issue.code === "unrecognized_keys" ? `unknown field in ${path}` : path;
}
