import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs work on a folder with these files, and deletes it. */
export async function inFolder<T>(
  files: Record<string, string | Uint8Array>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-load-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
