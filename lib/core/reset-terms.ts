/** How many minutes a link works that resets a password. */
export const RESET_MINUTES = 30

/** How many such links an address gets within an hour; further ones bring nothing, so that nobody can fill a mailbox. */
export const RESETS_PER_HOUR = 3
