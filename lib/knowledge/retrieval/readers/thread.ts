import { parentPort } from 'node:worker_threads'
import { DocumentProblem } from './blocks'
import { type ReadFile, readFileBytes } from './read'

/** What is asked of the thread, and what it answers: a file's chunks, or why it cannot be read. */
export type Asked = { name: string; bytes: Uint8Array }
export type Answered = { file: ReadFile } | { problem: string }

async function answer({ name, bytes }: Asked): Promise<Answered> {
  try {
    return { file: await readFileBytes(name, bytes) }
  } catch (error) {
    if (error instanceof DocumentProblem) return { problem: error.message }
    // Nested too deeply for a reader, or a fault of a library that one file brings out: the others must go on.
    return { problem: 'cannot be read: it is damaged, or built in a way no reader follows' }
  }
}

parentPort?.on('message', (asked: Asked) => {
  void answer(asked).then((answered) => parentPort?.postMessage(answered))
})
