import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'

/** Skips a test where no small disk can be mounted; scripts/faults.mjs reports it, and fails in CI. */
export const needsSmallDisk = () =>
  test.skip(process.env.PLUMBLINE_WITHOUT_SMALL_DISK === '1', 'no small disk can be mounted here: that takes root')

const PIECE = Buffer.alloc(64 * 1024, 'x')

/** A disk of a few megabytes for one test, which may fill it up. */
export class SmallDisk {
  readonly directory = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  private readonly ballast = join(this.directory, 'ballast')

  constructor(megabytes: number) {
    const { status, stderr } = spawnSync(
      'mount',
      ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.directory],
      { encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`mount failed: ${stderr}`)
  }

  get free(): number {
    const { bavail, bsize } = statfsSync(this.directory)
    return bavail * bsize
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    try {
      for (;;) writeFileSync(this.ballast, PIECE, { flag: 'a' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }

  makeRoom(): void {
    rmSync(this.ballast, { force: true })
  }

  remove(): void {
    spawnSync('umount', ['-l', this.directory])
    rmSync(this.directory, { recursive: true, force: true })
  }
}
