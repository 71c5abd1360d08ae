import { type ChildProcess, spawn } from 'node:child_process'
import { expect, test } from '@playwright/test'
import { makeContractor } from '../fixtures'
import { UNLIMITED } from '../lead'
import { beginLead, takesConnections } from '../raw'
import { type Driver, environment, freePort, type Home, makeHome, Running } from '../running'
import { report, timed } from './own-postgres'

const ENDED_MS = 10_000
const IN_FLIGHT = 20

/** Child processes that a failed test did not end, each with its process group. */
const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const { pid } of started) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
})

/** Starts the documented command in its own process group, as a terminal does. */
async function start(home: Home, env: Record<string, string>): Promise<Running> {
  const port = await freePort()
  const child = spawn('npm', ['start'], {
    env: environment({ ...home.env, ...UNLIMITED, ...env, PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  const running = await new Running(child, port).ready()
  await expect.poll(() => running.output, { timeout: 60_000 }).toContain('Plumbline answers at')
  return running
}

/** The ways to stop a server: a service manager signals npm alone; a terminal signals npm and the server at once. */
const WAYS: [string, NodeJS.Signals, (pid: number) => number][] = [
  ['SIGTERM', 'SIGTERM', (pid) => pid],
  ['Ctrl-C', 'SIGINT', (pid) => -pid],
]
const SHAPES: [string, Driver, Record<string, string>][] = [
  ['embedded', 'pglite', {}],
  ['two workers on Postgres', 'pg', { WEB_CONCURRENCY: '2', LIMITS_PER_WORKER: 'true' }],
]

for (const [shape, driver, env] of SHAPES)
  for (const [what, signal, target] of WAYS)
    test(`${what} to npm start, ${shape}: what has begun is ended, nothing new is taken, the exit code is 0`, async () => {
      test.skip(driver === 'pg' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
      const home = await makeHome(driver)
      const { leadKey } = await makeContractor(home, 'Stopped')
      const running = await start(home, env)
      const { process: npm, port } = running
      try {
        const finish = await Promise.all(
          Array.from({ length: IN_FLIGHT }, (_, i) => beginLead(port, leadKey, `${what}-${i}`)),
        )
        const exited = new Promise<number | null>((done) => npm.once('exit', done))
        const ended = timed(() => exited)
        process.kill(target(npm.pid ?? 0), signal)
        const { ms: refused } = await timed(() =>
          expect.poll(() => takesConnections(port), { timeout: 7_000, intervals: [20] }).toBe(false),
        )
        const lines = await Promise.all(finish.map((end) => end()))
        const { value: code, ms } = await ended
        expect(await takesConnections(port)).toBe(false)
        report(8, `${what} to npm start (${shape})`, [
          {
            what: 'requests in flight ended with 201',
            value: lines.filter((line) => line.includes(' 201 ')).length,
            exactly: IN_FLIGHT,
          },
          { what: 'new ones refused after', value: refused, unit: 'ms', bound: ENDED_MS },
          { what: 'exit code', value: code ?? Number.NaN, exactly: 0 },
          { what: 'ended after', value: ms, unit: 'ms', bound: ENDED_MS },
        ])
      } finally {
        if (npm.exitCode === null && npm.signalCode === null && npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL')
        await home.remove()
      }
    })
