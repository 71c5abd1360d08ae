export const MEGABYTE = 1024 * 1024

/** The path where CSV files are uploaded, one per request; the largest size, and the longest upload time. */
export const UPLOAD = { path: '/data/load/files', maxBytes: 200 * MEGABYTE, maxMs: 30 * 60_000 } as const

/**
 * The path where files are put over the API; `/loads/customers.csv`. The same caps hold for the body and for what it is once it is
 * inflated, and for an upload in parts as a whole.
 */
export const INGEST = { path: '/api/v1/loads/', maxBytes: 1024 * MEGABYTE, maxMs: 4 * 3_600_000 } as const

/** The path where inbound mails are posted, before the source's token; the most bytes of one with its attachments, and how long it may take. */
export const MAIL_PATH = '/api/webhooks/mail/'
export const MAIL = { path: MAIL_PATH, maxBytes: 10 * MEGABYTE, maxMs: 2 * 60_000 } as const
