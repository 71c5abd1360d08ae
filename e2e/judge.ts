import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NEWER_NODE } from './newer-node'

const FOLDER = join(process.cwd(), 'e2e/judges')

/** The paths where the service describes itself: the data API in both editions, and the MCP server. */
export const DESCRIPTIONS = ['/api/v1/openapi?version=3.1', '/api/v1/openapi?version=3.0', '/mcp/openapi.json']

/** The output of a program, and how it ended. */
export type Ended = { status: number | null; stdout: string; stderr: string }

/** Runs a script of a package in e2e/judges, on the Node that today's generators need. */
export function judge(script: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const program = [join(FOLDER, 'node_modules', script), ...args]
  const child = spawn(NEWER_NODE, program, {
    cwd: FOLDER,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', ...env },
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      said[stream] += chunk
    })
  return new Promise((done) => child.once('close', (status) => done({ status, ...said })))
}

/** Stores descriptions of a running service in files, as programs read them, while `use` runs. */
export async function withDescriptions<T>(
  url: string,
  places: string[],
  use: (paths: string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(FOLDER, 'document-'))
  try {
    const paths = await Promise.all(
      places.map(async (place) => {
        const path = join(folder, `${place.replaceAll(/\W+/g, '-')}.json`)
        writeFileSync(path, await (await fetch(url + place)).text())
        return path
      }),
    )
    return await use(paths)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
