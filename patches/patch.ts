/** What a file of this folder says of itself; patches.test.ts holds it to the package that is installed. */
export type Patch = {
  /** The package, and the exact version whose internals were read. */
  package: string
  version: string
  /** What is replaced, and why its public interface does not do. */
  what: string
  /** Where it is reported, or where the code stands. */
  upstream: `https://${string}`
  /** When this file can go. */
  removeWhen: string
}
