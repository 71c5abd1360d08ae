import { execFileSync } from 'node:child_process'

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

/**
 * Returns the commit that a build is made from: what the platform or the image's builder says, else git's, with `-dirty` when files it
 * knows were changed. Empty where neither knows.
 */
export function commitOf(folder: string, given: Record<string, string | undefined> = process.env): string {
  const said = given.SOURCE_COMMIT || given.VERCEL_GIT_COMMIT_SHA
  if (said) return said
  try {
    // A folder inside another project's repository is not that project.
    if (git(folder, 'rev-parse', '--show-prefix') !== '') return ''
    const isChanged = git(folder, 'status', '--porcelain', '--untracked-files=no') !== ''
    return `${git(folder, 'rev-parse', 'HEAD')}${isChanged ? '-dirty' : ''}`
  } catch {
    return ''
  }
}
