import { type EntryName, makeRuntime } from '@/lib/runtime/runtime'

/** Forgets everything the process keeps, settings included: what is imported next finds a process that has just started. */
export function forgetRuntime(entry: EntryName = 'tests'): void {
  Reflect.deleteProperty(globalThis, Symbol.for('plumbline.runtime'))
  makeRuntime(entry)
}
