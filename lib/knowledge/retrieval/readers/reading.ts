import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { env } from '@/lib/core/env'
import { DocumentProblem } from './blocks'
import type { ReadFile } from './read'
import type { Answered, Asked, Begun } from './thread'

/** Limits for one file, counted from when the thread takes it. A book of a thousand pages needs a fifth of them. */
const LIMITS = { milliseconds: 20_000, megabytes: 512 }

/** How long the thread may take to start. On a busy machine that takes seconds, for which no file is to blame. */
const START_MS = 60_000
const NOT_STARTED = `was not read: its reader did not start within ${START_MS / 1000} s; load it again when the machine is less busy`

/** The worker thread's program, as `npm run build` writes it and as source. */
const BUILT = join(/* turbopackIgnore: true */ process.cwd(), 'dist/thread.js')
const SOURCE = join(/* turbopackIgnore: true */ process.cwd(), 'lib/knowledge/retrieval/readers/thread.ts')

const load = (path: string) => `import(${JSON.stringify(pathToFileURL(path).href)})`
/** A worker thread does not inherit the TypeScript loader, so it registers one itself. */
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

/** The outcome of one file. `broken` means the thread cannot be reused. */
type Outcome = Answered | { problem: string; broken: true }

/** Waits until the thread has begun, then until it answers, or until the file crashes it or exceeds its time. */
function nextAnswer(worker: Worker, milliseconds: number): Promise<Outcome> {
  return new Promise((done) => {
    const problem = (text: string) => settle({ problem: text, broken: true })
    const broke = (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      problem(isMemory ? 'needs too much memory to be read; split it' : 'broke its reader; it is damaged')
    }
    const ended = () => problem('ended its reader; it is damaged')
    const tooSlow = () => problem(`takes more than ${milliseconds / 1000} s to read; split it`)
    let timer = setTimeout(() => problem(NOT_STARTED), START_MS)
    const hear = (said: Begun | Answered) => {
      if (!('begun' in said)) return settle(said)
      clearTimeout(timer)
      timer = setTimeout(tooSlow, milliseconds)
    }
    const settle = (outcome: Outcome) => {
      clearTimeout(timer)
      worker.off('message', hear).off('error', broke).off('exit', ended)
      done(outcome)
    }
    worker.on('message', hear).on('error', broke).on('exit', ended)
  })
}

/**
 * Reads files in a worker thread, one after another. A file that never finishes or exhausts memory ends the thread and not the
 * process, which may be the server.
 */
export class DocumentReader {
  private worker: Worker | undefined

  constructor(private readonly limits = LIMITS) {}

  /** Returns a file's chunks. @throws DocumentProblem with the reason a file cannot be read */
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
