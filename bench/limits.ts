import { Limiter } from '@/lib/limits/limiter'
import { SlidingWindow } from '@/lib/limits/window'
import { startBridge } from '@/lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '@/lib/testing/redis/client'
import { note, optionOf } from './figures'
import { median } from './load'

const SUBJECTS = Array.from({ length: 16_384 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)

/** Returns the nanoseconds per check, over one pass through all subjects. */
function time(take: (subject: string) => unknown): number {
  const began = process.hrtime.bigint()
  for (const subject of SUBJECTS) take(subject)
  return Number(process.hrtime.bigint() - began) / SUBJECTS.length
}

/** Compares the in-process check with the bare ring it is built on, interleaved. */
function inProcess(rounds: number): void {
  const limiter = new Limiter(undefined)
  const rings = new Map(SUBJECTS.map((subject) => [subject, new SlidingWindow()]))
  const bare = (subject: string) => rings.get(subject)?.take(performance.now(), 10, 60_000)
  const whole = (subject: string) => limiter.takeHere(10, 'list_invoices', subject)
  const ratios = Array.from({ length: rounds }, () => time(whole) / time(bare))
  const nanoseconds = time(whole)
  console.log(`in process   ${nanoseconds.toFixed(0)} ns, ${median(ratios).toFixed(2)} x a ring of timestamps in a map`)
  note('a limit check in process to a ring of timestamps in a map', median(ratios))
  note('a limit check in process', nanoseconds, { unit: 'ns' })
}

/** Measures the milliseconds until a local Redis answers a burst of checks, and a single check. */
async function shared(rounds: number): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const limiter = new Limiter({ url: bridge.url, token: bridge.token, secret: 'bench', patienceMs: 20_000 })
  let round = 0
  const burst = async (size: number) => {
    const endpoint = `bench-${round++}`
    const began = performance.now()
    await Promise.all(SUBJECTS.slice(0, size).map((subject) => limiter.take(10, endpoint, subject)))
    return performance.now() - began
  }
  for (let i = 0; i < rounds; i++) await burst(20)
  for (const size of [1, 20]) {
    const times: number[] = []
    for (let i = 0; i < rounds; i++) times.push(await burst(size))
    console.log(`over Redis   ${median(times).toFixed(2)} ms for ${size} at once`)
    note(`limit checks over Redis, ${size} at once`, median(times), { unit: 'ms' })
  }
  await bridge.close()
}

/** Runs `npm run bench -- limits [--rounds 100]`: a limit check in process, and over a local Redis where there is one. */
export async function run(args: string[]): Promise<void> {
  const rounds = optionOf(args, '--rounds', 100)
  inProcess(rounds)
  if (process.env.PLUMBLINE_WITHOUT_REDIS === '1') console.log('over Redis   not measured: there is none')
  else await shared(rounds)
}
