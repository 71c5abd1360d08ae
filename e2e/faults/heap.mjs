// Reports the heap of a server under test: node --import ./e2e/faults/heap.mjs. On SIGUSR2 it collects garbage, then writes `heap
// <bytes>` to standard error.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write(`heap ${heapUsed + external}\n`)
})
