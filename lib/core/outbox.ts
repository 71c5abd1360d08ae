/** The folder in the data directory that email is written into while no SMTP server is set. */
export const OUTBOX_FOLDER = 'outbox'
