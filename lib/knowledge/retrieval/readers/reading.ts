import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { env } from '@/lib/core/env'
import { isOwnFault } from '@/lib/core/fault-code'
import { logFault } from '@/lib/core/log'
import { callThread, type Silence, START_MS } from '@/lib/core/thread'
import { DocumentProblem } from './blocks'
import type { ReadFile } from './read'
import type { Answered, Asked } from './thread'

/** Limits for one file, counted from when the thread takes it. A book of a thousand pages needs a fifth of them. */
const LIMITS = { milliseconds: 20_000, megabytes: 512 }

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

/** Says why a file was not read. A fault that is ours is logged, and not said of the file. */
function reasonOf(said: Silence | { fault: Error }, milliseconds: number): string {
  if ('silent' in said) {
    if (said.silent === 'slow') return `takes more than ${milliseconds / 1000} s to read; split it`
    if (said.silent === 'large') return 'needs too much memory to be read; split it'
    if (said.silent === 'not begun' && !said.fault) return NOT_STARTED
    if (said.silent === 'broken' && !isOwnFault(said.fault)) return 'broke its reader; it is damaged'
  }
  logFault({ operation: 'load_documents' }, said.fault)
  return 'was not read, by a fault of the service, which is in its log'
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
    const { milliseconds } = this.limits
    const said = await callThread<Answered>(this.worker, asked, milliseconds)
    if ('file' in said) return said.file
    if ('problem' in said) throw new DocumentProblem(said.problem)
    if ('silent' in said) this.close()
    throw new DocumentProblem(reasonOf(said, milliseconds))
  }

  close(): void {
    void this.worker?.terminate()
    this.worker = undefined
  }
}
