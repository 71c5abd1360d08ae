export { checksumOf, type Version } from './checksum.js'
export { Plumbline, type SyncResult } from './client.js'
export {
  ApiError,
  ConnectionError,
  GoneError,
  IncompleteListError,
  PlumblineError,
  type Proof,
  ProofError,
  RateLimitedError,
  UnexpectedAnswerError,
} from './errors.js'
export type { ExportOptions } from './export.js'
export { FileStore } from './file-store.js'
export type { Options } from './http.js'
export { type Batch, MemoryStore, type Store } from './store.js'
export type { SyncOptions } from './sync.js'
export type {
  Change,
  ChangesPage,
  ChangesQuery,
  Customer,
  Delete,
  Estimate,
  Invoice,
  ListQuery,
  Page,
  Payment,
  Project,
  Records,
  ResourceName,
  Total,
  Upsert,
} from './types.js'
export { VERSION } from './version.js'
