/** The version of this package, which requests name in `user-agent`. */
export const VERSION = '0.1.0'
