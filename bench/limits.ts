import { Limiter } from '@/lib/limits/limiter'
import { SlidingWindow } from '@/lib/limits/window'
import { startBridge } from '@/lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '@/lib/testing/redis/url'
import { median } from './load'

const SUBJECTS = Array.from({ length: 16_384 }, (_, i) => `10.0.${i >> 8}.${i & 255}`)
const ROUNDS = 100

/** Returns the nanoseconds per check, over one pass through all subjects. */
function time(take: (subject: string) => unknown): number {
  const began = process.hrtime.bigint()
  for (const subject of SUBJECTS) take(subject)
  return Number(process.hrtime.bigint() - began) / SUBJECTS.length
}

/** Compares the in-process check with the bare ring it is built on, interleaved. */
function inProcess(): void {
  const limiter = new Limiter(undefined)
  const rings = new Map(SUBJECTS.map((subject) => [subject, new SlidingWindow()]))
  const bare = (subject: string) => rings.get(subject)?.take(performance.now(), 10, 60_000)
  const whole = (subject: string) => limiter.take(10, 'list_invoices', subject)
  const ratios = Array.from({ length: ROUNDS }, () => time(whole) / time(bare))
  console.log(
    `in process   ${Math.round(time(whole))} ns, ${median(ratios).toFixed(2)} x a ring of timestamps in a map`,
  )
}

/** Measures the milliseconds until a local Redis answers a burst of checks, and a single check. */
async function shared(): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const limiter = new Limiter({ url: bridge.url, token: bridge.token, secret: 'bench', patienceMs: 20_000 })
  let round = 0
  const burst = async (size: number) => {
    const endpoint = `bench-${round++}`
    const began = performance.now()
    await Promise.all(SUBJECTS.slice(0, size).map((subject) => limiter.take(10, endpoint, subject)))
    return performance.now() - began
  }
  for (let i = 0; i < ROUNDS; i++) await burst(20)
  for (const size of [1, 20]) {
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) times.push(await burst(size))
    console.log(`over Redis   ${median(times).toFixed(2)} ms for ${size} at once`)
  }
  await bridge.close()
}

export async function run(): Promise<void> {
  inProcess()
  await shared()
}
