import { parentPort } from 'node:worker_threads'
import { isOwnFault } from '@/lib/core/fault-code'
import type { Begun } from '@/lib/core/thread'
import { DocumentProblem } from './blocks'
import { type ReadFile, readFileBytes } from './read'

/** The thread's request and its answer: a file's chunks, why it cannot be read, or a fault that is not the file's. */
export type Asked = { name: string; bytes: Uint8Array }
export type Answered = { file: ReadFile } | { problem: string } | { fault: Error }
async function answer({ name, bytes }: Asked): Promise<Answered> {
  try {
    return { file: await readFileBytes(name, bytes) }
  } catch (error) {
    if (error instanceof DocumentProblem) return { problem: error.message }
    if (error instanceof Error && isOwnFault(error)) return { fault: error }
    // The file is nested too deeply, or a library refuses it. Caught, so that the other files are still read.
    return { problem: 'cannot be read: it is damaged, or built in a way no reader follows' }
  }
}

parentPort?.on('message', (asked: Asked) => {
  parentPort?.postMessage({ begun: true } satisfies Begun)
  void answer(asked).then((answered) => parentPort?.postMessage(answered))
})
