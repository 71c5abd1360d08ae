/** Where CSV files are uploaded, one per request; the largest size, and the longest upload time. */
export const UPLOAD = { path: '/data/load/files', maxBytes: 200 * 1024 * 1024, maxMs: 30 * 60_000 } as const

/**
 * Where files are put over the API; `/loads/customers.csv`. The same caps hold for the body and for what it is once it is inflated, and
 * for an upload in parts as a whole.
 */
export const INGEST = { path: '/api/v1/loads/', maxBytes: 1024 * 1024 * 1024, maxMs: 4 * 3_600_000 } as const
