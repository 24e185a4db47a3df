import { adoptBuild, build, reviewedWorkspace } from "./scratch.ts";
import { serverScript, type surfacesWith } from "./server-script.ts";

/** A reviewed workspace whose program serves something else than its surface program shows. */
export async function servingOther(surfaces: ReturnType<typeof surfacesWith>): Promise<string> {
  const root = await reviewedWorkspace();
  build(root, serverScript({ surfaces }), serverScript());
  adoptBuild(root);
  return root;
}
