import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultCode } from '@/lib/core/fault-code'

/** Reports whether small disks can be mounted here. */
export function canMount(): boolean {
  try {
    new SmallDisk(1).remove()
    return true
  } catch {
    return false
  }
}

const PIECE = Buffer.alloc(64 * 1024, 'x')

/** A disk of a few megabytes for one test, which may fill it up. Mounting it takes root, on Linux. */
export class SmallDisk {
  readonly directory = mkdtempSync(join(tmpdir(), 'plumbline-disk-'))
  private readonly ballast = join(this.directory, 'ballast')

  constructor(megabytes: number) {
    const { status, stderr } = spawnSync(
      'mount',
      ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', this.directory],
      { encoding: 'utf8' },
    )
    if (status === 0) return
    rmSync(this.directory, { recursive: true })
    throw new Error(`mount failed: ${stderr}`)
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    try {
      for (;;) writeFileSync(this.ballast, PIECE, { flag: 'a' })
    } catch (error) {
      if (faultCode(error) !== 'ENOSPC') throw error
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
