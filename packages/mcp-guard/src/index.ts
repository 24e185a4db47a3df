export { inheritedEnvironment } from "./inherited-environment.ts";
export { type MeasuredArtifact, observeArtifact } from "./artifact.ts";
export { MeasuringError, type MeasuringErrorCode } from "./measuring-error.ts";
export {
  type ClosurePackage,
  type InstalledPackage,
  observeInstalledPackage,
} from "./installed-package.ts";
export {
  isSameId,
  MAX_ID_LENGTH,
  memberOf,
  parseRpcLine,
  type RpcError,
  type RpcId,
  type RpcLine,
  type RpcMessage,
} from "./json-rpc.ts";
export {
  createLineReader,
  type LineBatch,
  type LineFault,
  type LineReader,
} from "./line-reader.ts";
export type { RawAnswer } from "./list-pages.ts";
export { OBSERVATION_LIMITS, type ObservationLimits } from "./observation-limits.ts";
export type { ObservationCode } from "./observation-refusal.ts";
export { observeSurface } from "./observe-surface.ts";
export type { ObservedSurface, SurfaceRequest } from "./read-surface.ts";
export {
  type Connect,
  connectHttp,
  type Connection,
  type ConnectionTerms,
  connectStdio,
} from "./connect.ts";
export { guardSession } from "./guarded-session.ts";
export type {
  GuardedAnswer,
  GuardedCall,
  GuardedList,
  GuardedSession,
  GuardOptions,
  GuardRefused,
} from "./guarded-types.ts";
export type { Progress } from "./session.ts";
export { MAX_LIFETIME_MS, MIN_LIFETIME_MS } from "./surface-lifetime.ts";
export { type HttpServer, observeHttpServer } from "./http-server.ts";
export { spawnStdio, type StdioChild, type StdioExit, type StdioLaunch } from "./stdio-child.ts";
export { observeStdioServer } from "./stdio-server.ts";
export type { WireChannel } from "./wire-session.ts";
