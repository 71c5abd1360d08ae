/** Where CSV files are uploaded, one by request; how large one may be, and how long it may take on its way. */
export const UPLOAD = { path: '/data/load/files', maxBytes: 200 * 1024 * 1024, maxMs: 30 * 60_000 } as const
