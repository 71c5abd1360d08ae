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

/** The command that starts Next's own server in an app's folder. */
export const nextStart = (port: number) => [
  'node_modules/next/dist/bin/next',
  ...['start', '-H', 'localhost', '-p', String(port), '--keepAliveTimeout', '65000'],
]

/** Builds a Next app with a single page in a temporary folder, with this project's packages. */
export function makeEmptyNext(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-empty-next-'))
  mkdirSync(join(folder, 'app'))
  writeFileSync(join(folder, 'app/layout.jsx'), LAYOUT)
  writeFileSync(join(folder, 'app/page.jsx'), PAGE)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // Uses webpack, because Turbopack does not accept packages from outside the folder.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/next/dist/bin/next'), 'build', '--webpack'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } },
  )
  if (status !== 0) throw new Error(`the empty app was not built: ${stdout}${stderr}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
