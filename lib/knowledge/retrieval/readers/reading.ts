import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { env } from '@/lib/core/env'
import { DocumentProblem } from './blocks'
import type { ReadFile } from './read'
import type { Answered, Asked } from './thread'

/** What one file may cost; a book of a thousand pages needs a fifth of it. */
export const LIMITS = { milliseconds: 20_000, megabytes: 512 }

/** The thread's program, as `npm run build` makes it and as it is written. */
const BUILT = join(/* turbopackIgnore: true */ process.cwd(), 'dist/thread.js')
const SOURCE = join(/* turbopackIgnore: true */ process.cwd(), 'lib/knowledge/retrieval/readers/thread.ts')

const load = (path: string) => `import(${JSON.stringify(pathToFileURL(path).href)})`
/** A thread does not take over the loader that reads TypeScript; it registers its own. */
const FROM_SOURCE = `import('tsx/esm/api').then(({ register }) => {
  register()
  return ${load(SOURCE)}
})`

function startThread(megabytes: number): Worker {
  const program = env().production ? load(BUILT) : FROM_SOURCE
  const worker = new Worker(program, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: megabytes, stackSizeMb: 4 },
  })
  worker.unref()
  return worker
}

/** What came of a file; `broken` when the thread is not to be used again. */
type Outcome = Answered | { problem: string; broken: true }

/** The next thing a thread does: answers, or breaks under the file. */
function nextAnswer(worker: Worker, milliseconds: number): Promise<Outcome> {
  return new Promise((done) => {
    const problem = (text: string) => settle({ problem: text, broken: true })
    const broke = (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      problem(isMemory ? 'needs too much memory to be read; split it' : 'broke its reader; it is damaged')
    }
    const ended = () => problem('ended its reader; it is damaged')
    const timer = setTimeout(() => problem(`takes more than ${milliseconds / 1000} s to read; split it`), milliseconds)
    const settle = (outcome: Outcome) => {
      clearTimeout(timer)
      worker.off('message', settle).off('error', broke).off('exit', ended)
      done(outcome)
    }
    worker.on('message', settle).on('error', broke).on('exit', ended)
  })
}

/**
 * Reads files in a thread of its own, one after another: a file that never ends, or that wants all memory, costs the thread and not
 * the process, which may be the server.
 */
export class DocumentReader {
  private worker: Worker | undefined

  constructor(private readonly limits = LIMITS) {}

  /** @throws DocumentProblem why a file cannot be read */
  async read(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<ReadFile> {
    this.worker ??= startThread(this.limits.megabytes)
    const asked: Asked = { name, bytes }
    this.worker.postMessage(asked)
    const outcome = await nextAnswer(this.worker, this.limits.milliseconds)
    if ('file' in outcome) return outcome.file
    if ('broken' in outcome) this.close()
    throw new DocumentProblem(outcome.problem)
  }

  close(): void {
    void this.worker?.terminate()
    this.worker = undefined
  }
}
