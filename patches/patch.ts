/** The declaration of a file in this folder about itself; patches.test.ts checks it against the installed package. */
export type Patch = {
  /** The package, and the exact version whose internals it replaces. */
  package: string
  version: string
  /** The replaced code, and why its public interface does not do. */
  what: string
  /** The address where it is reported, or where the code is. */
  upstream: `https://${string}`
  /** Says when this file can go. */
  removeWhen: string
}
