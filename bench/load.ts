import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'

export type Measured = { perSecond: number; cpuMicroseconds: number }

const hasWrk = spawnSync('wrk', ['-v']).error === undefined

/** CPU time a process has used, user and system, in microseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function withWrk(url: string, headers: Record<string, string>, connections: number, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-wrk-'))
  const script = join(folder, 'headers.lua')
  writeFileSync(
    script,
    Object.entries(headers)
      .map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`)
      .join(''),
  )
  const { stdout } = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} did not answer 200: ${stdout}`)
  return Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
}

async function withAutocannon(
  url: string,
  headers: Record<string, string>,
  connections: number,
  seconds: number,
): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} did not answer 200`)
  return result.requests.total
}

/** Asks a server as fast as it answers, over `connections` connections; wrk where the machine has it. */
export async function measure(
  url: string,
  pid: number,
  headers: Record<string, string>,
  seconds: number,
  connections = 8,
): Promise<Measured> {
  const before = cpuOf(pid)
  const requests = await (hasWrk ? withWrk : withAutocannon)(url, headers, connections, seconds)
  return { perSecond: requests / seconds, cpuMicroseconds: (cpuOf(pid) - before) / requests }
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
