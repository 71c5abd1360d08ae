/** What a file in this folder declares about itself; patches.test.ts checks it against the installed package. */
export type Patch = {
  /** The package, and the exact version whose internals it replaces. */
  package: string
  version: string
  /** What is replaced, and why its public interface does not do. */
  what: string
  /** Where it is reported, or where the code is. */
  upstream: `https://${string}`
  /** When this file can go. */
  removeWhen: string
}
