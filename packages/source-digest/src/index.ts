export { MANIFEST_PATH, sourceDigestDefine, sourceDigestPlugin } from "./plugin.ts";
export {
  type LockedPackage,
  sourceDigest,
  type SourceFile,
  type SourceManifest,
} from "./source-manifest.ts";
export { type BuiltSource, readBuiltSource } from "./verify-source.ts";
