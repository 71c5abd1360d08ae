import { parentPort } from 'node:worker_threads'
import { DocumentProblem } from './blocks'
import { type ReadFile, readFileBytes } from './read'

/** The thread's request and its answer: a file's chunks, or why it cannot be read. */
export type Asked = { name: string; bytes: Uint8Array }
export type Answered = { file: ReadFile } | { problem: string }
/** What the thread says before its answer, because only the time after it is the file's: the thread has started and takes the file. */
export type Begun = { begun: true }

async function answer({ name, bytes }: Asked): Promise<Answered> {
  try {
    return { file: await readFileBytes(name, bytes) }
  } catch (error) {
    if (error instanceof DocumentProblem) return { problem: error.message }
    // The file is nested too deeply or triggers a bug in a library. Catch it so the other files are still read.
    return { problem: 'cannot be read: it is damaged, or built in a way no reader follows' }
  }
}

parentPort?.on('message', (asked: Asked) => {
  parentPort?.postMessage({ begun: true } satisfies Begun)
  void answer(asked).then((answered) => parentPort?.postMessage(answered))
})
