import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

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

/** A route that runs one statement of a pool and answers with its text; `middleware.js` passes its requests on, as ours does. */
export const ONE_ROUTE = {
  'app/api/v1/invoices/route.js': `import { Pool } from 'pg'
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c timezone=UTC' })
export async function GET(request) {
  const limit = Number(request.nextUrl.searchParams.get('limit'))
  const { rows } = await pool.query({ name: 'page', text: process.env.BENCH_STATEMENT, values: [process.env.BENCH_CONTRACTOR, limit] })
  const body = '{"apiVersion":"v1","items":' + rows[0].items + ',"nextPageToken":null}'
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
`,
}
export const MIDDLEWARE = {
  'middleware.js': `import { NextResponse } from 'next/server'
export const middleware = () => NextResponse.next()
export const config = { runtime: 'nodejs' }
`,
}

/** Builds a Next app with a single page and more files in a temporary folder, with this project's packages. */
export function makeEmptyNext(files: Record<string, string> = {}): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-empty-next-'))
  const all = {
    'app/layout.jsx': LAYOUT,
    'app/page.jsx': PAGE,
    'package.json': '{"private":true,"type":"module"}\n',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
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
