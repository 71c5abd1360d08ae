import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'

export type Measured = { perSecond: number; cpuMicroseconds: number }

/**
 * The request to send, with how many connections and for how many seconds. A body is posted, with a new number in place of `UNIQUE` each
 * time.
 */
export type Load = { url: string; headers: Record<string, string>; body?: string; connections: number; seconds: number }

/** True when requests are sent by wrk, which needs less processor than autocannon. */
export const hasWrk = spawnSync('wrk', ['-v']).error === undefined

/** Returns the CPU time a process has used, user plus system, in microseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** A placeholder in a body that is replaced with a new number for each request. */
export const UNIQUE = '{unique}'

function luaScript({ headers, body }: Load): string {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`)
  if (body === undefined) return lines.join('')
  return `${lines.join('')}wrk.method = "POST"
local template = [==[${body}]==]
local n = 0
request = function()
  n = n + 1
  return wrk.format(nil, nil, nil, (template:gsub("${UNIQUE}", n)))
end
`
}

function withWrk({ url, connections, seconds, ...load }: Load): number {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-wrk-'))
  const script = join(folder, 'load.lua')
  writeFileSync(script, luaScript({ url, connections, seconds, ...load }))
  const { stdout } = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} did not answer 200: ${stdout}`)
  return Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
}

async function withAutocannon({ url, headers, body, connections, seconds }: Load): Promise<number> {
  let n = 0
  const requests =
    body === undefined
      ? []
      : [
          {
            method: 'POST' as const,
            setupRequest: (request: object) => ({ ...request, body: body.replaceAll(UNIQUE, String(n++)) }),
          },
        ]
  const result = await autocannon({
    url,
    headers,
    connections,
    duration: seconds,
    ...(body === undefined ? {} : { requests }),
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} did not answer 200`)
  return result.requests.total
}

/** Sends requests to a server as fast as it answers, with wrk where it is installed. */
export async function measure(pid: number, load: Load): Promise<Measured> {
  const before = cpuOf(pid)
  const requests = await (hasWrk ? withWrk : withAutocannon)(load)
  return { perSecond: requests / load.seconds, cpuMicroseconds: (cpuOf(pid) - before) / requests }
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
