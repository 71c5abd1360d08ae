import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CRON_BUDGET_MS, JOB_NAMES, JOBS, jobOf } from '@/lib/jobs/table'
import { routeHost } from './hosts'
import { answerScheduler, schedulerPath } from './internal'
import { documented } from './openapi/operation'
import { servedPath } from './rest/served'

const ask = (method: string) =>
  answerScheduler({
    method,
    url: 'http://localhost/api/internal/retention',
    headers: { get: () => null },
    body: async () => ({ bytes: new Uint8Array(), complete: true }),
    chunks: async function* () {},
    gone: () => new AbortController().signal,
  })

test('without CRON_SECRET the scheduler’s path is answered 404 with the reason', async () => {
  const { status, body } = await ask('GET')
  expect([status, body]).toEqual([404, expect.stringContaining('CRON_SECRET')])
})

test('internal routes are in no document, and on every host, because the scheduler calls the platform’s own host name', () => {
  const paths = documented().map(servedPath)
  for (const path of JOB_NAMES.map(schedulerPath)) {
    expect(paths).not.toContain(path)
    const settings = {
      hosts: { api: 'api.example.com', mcp: undefined, portal: undefined },
      publicUrl: 'http://localhost:3000',
      production: true,
    }
    expect(routeHost('plumbline.vercel.app', path, settings)).toEqual({ path })
  }
})

test('cron calls exactly the work that the table of background work names, as often as it says', () => {
  const { crons, functions } = JSON.parse(readFileSync(join(import.meta.dirname, '../../vercel.json'), 'utf8'))
  const named = JOB_NAMES.flatMap((job) => {
    const { cron } = JOBS[job]
    return cron === null ? [] : [{ path: schedulerPath(job), schedule: cron.schedule }]
  })
  expect(crons).toEqual(named)
  // A run has half of a function's time.
  expect(functions['app/**/*'].maxDuration * 1_000).toBe(2 * CRON_BUDGET_MS)
})

const span = (milliseconds: number) =>
  milliseconds % 3_600_000 === 0
    ? `${milliseconds / 3_600_000} h`
    : milliseconds % 60_000 === 0
      ? `${milliseconds / 60_000} min`
      : `${milliseconds / 1_000} s`

test('docs/deploy.md has the table of background work as it is', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  for (const job of JOB_NAMES) {
    const { title, everyMs, afterRequests, cron, late } = jobOf(job)
    const soon = afterRequests ? 'after requests, ' : ''
    const onVercel = cron ? `${soon}\`${job}\` \`${cron.schedule}\`` : 'not needed'
    expect(text).toContain(`\n| ${title} | ${soon}every ${span(everyMs)} | ${onVercel} | ${late} |\n`)
  }
})
