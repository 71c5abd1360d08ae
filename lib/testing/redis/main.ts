// The bridge as a program, for servers under test: node --import tsx lib/testing/redis/main.ts --port 8079 --token secret
// A line on standard input sets a fault: none, hang, refuse, deny, garbage, nonsense, or slow <ms>; flush forgets everything.
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Fault, startBridge } from './bridge'
import { TEST_REDIS_URL } from './client'

const FAULTS = ['none', 'hang', 'refuse', 'deny', 'garbage', 'nonsense'] as const

function faultOf(line: string): Fault {
  const [word, ms] = line.trim().split(' ')
  if (word === 'slow') return { slowMs: Number(ms) }
  const fault = FAULTS.find((name) => name === word)
  if (!fault) throw new Error(`There is no fault ${word}. There are ${FAULTS.join(', ')} and slow <ms>.`)
  return fault
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    token: { type: 'string' },
    prefix: { type: 'string' },
    redis: { type: 'string', default: TEST_REDIS_URL },
    fault: { type: 'string', default: 'none' },
  },
})
const { port, redis: redisUrl, ...rest } = values
const bridge = await startBridge({ ...rest, redisUrl, port: Number(port) })
await bridge.setFault(faultOf(values.fault))
console.log(JSON.stringify({ url: bridge.url, token: bridge.token, prefix: bridge.prefix }))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void bridge.close().then(() => process.exit(0)))
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === 'flush') await bridge.flush()
  else if (line.trim() !== '') await bridge.setFault(faultOf(line))
}
