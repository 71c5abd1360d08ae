import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>
}
`
const PAGE = `export default function Page() {
  return <h1>Empty</h1>
}
`

/** The command of Next's own server, in the folder of an app. */
export const nextStart = (port: number) => [
  'node_modules/next/dist/bin/next',
  ...['start', '-H', 'localhost', '-p', String(port), '--keepAliveTimeout', '65000'],
]

/** An app of Next with one page and nothing else, built in a temporary folder from the packages of this one. */
export function makeEmptyNext(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-empty-next-'))
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app/layout.jsx'), LAYOUT)
  writeFileSync(join(folder, 'app/page.jsx'), PAGE)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // The other compiler takes no packages from beyond the folder.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/next/dist/bin/next'), 'build', '--webpack'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } },
  )
  if (status !== 0) throw new Error(`the empty app was not built: ${stdout}${stderr}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
