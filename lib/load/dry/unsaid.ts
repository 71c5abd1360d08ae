import type { Fault } from '../fault'

/** The facts that a run that writes nothing cannot say. */
export class Unsaid {
  /** Files with payments whose invoice only the load can tell, and how many records of a file an earlier one has too. */
  private readonly unmatched = new Set<string>()
  private readonly again = new Map<string, number>()

  noteUnmatched(file: string): void {
    this.unmatched.add(file)
  }

  noteAgain(file: string): void {
    this.again.set(file, (this.again.get(file) ?? 0) + 1)
  }

  /** Returns them as notes of the report. */
  faults(): Fault[] {
    const note = (file: string, field: string | null, reason: string) => ({
      file,
      line: null,
      field,
      value: null,
      reason,
    })
    return [
      ...[...this.unmatched].map((file) =>
        note(
          file,
          'invoice',
          'payments that name no invoice are matched by the load, also to invoices of this folder; a dry run cannot tell to which, and which of these payments change',
        ),
      ),
      ...[...this.again].map(([file, n]) =>
        note(
          file,
          null,
          `an earlier file of this folder has ${n.toLocaleString('en-US')} of the records too; a dry run cannot tell whether this file changes them once more`,
        ),
      ),
    ]
  }
}
