/** Where CSV files are uploaded, one per request; the largest size, and the longest upload time. */
export const UPLOAD = { path: '/data/load/files', maxBytes: 200 * 1024 * 1024, maxMs: 30 * 60_000 } as const
