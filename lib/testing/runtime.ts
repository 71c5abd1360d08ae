import { beginEntry, type EntryName } from '@/lib/core/entry'

/** Forgets everything the process keeps, settings included: what is imported next finds a process that has just started. */
export function forgetRuntime(entry: EntryName = 'tests'): void {
  Reflect.deleteProperty(globalThis, Symbol.for('plumbline.shared'))
  beginEntry(entry)
}
