import type { Worker } from 'node:worker_threads'

/**
 * The message that a thread sends before each answer, because only the time after it is the question's: it has started, and takes the
 * question.
 */
export type Begun = { begun: true }

/** The reason why a thread gave no answer. One that has not begun could not, or not in time, for which no question is to blame. */
export type Silence = { silent: 'not begun' | 'slow' | 'large' | 'broken'; fault?: Error }

/** The time that a thread may take to start: seconds, on a busy machine. */
export const START_MS = 60_000

/**
 * Asks a thread, and waits until it has begun, then until it answers. A question that never ends, exhausts the thread's memory or breaks it
 * holds nothing else; the thread cannot be used again then.
 * @param milliseconds how long an answer may take once it was begun
 */
export function callThread<Answer extends object>(
  worker: Worker,
  question: object,
  milliseconds: number,
): Promise<Answer | Silence> {
  return new Promise((done) => {
    let silent: Silence['silent'] = 'not begun'
    const broke = (fault: Error & { code?: string }) =>
      settle({ silent: fault.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'large' : silent, fault })
    const ended = () => settle({ silent })
    let timer = setTimeout(ended, START_MS)
    const hear = (said: Begun | Answer) => {
      if (!('begun' in said)) return settle(said)
      silent = 'broken'
      clearTimeout(timer)
      timer = setTimeout(() => settle({ silent: 'slow' }), milliseconds)
    }
    const settle = (outcome: Answer | Silence) => {
      clearTimeout(timer)
      worker.off('message', hear).off('error', broke).off('exit', ended)
      done(outcome)
    }
    worker.on('message', hear).on('error', broke).on('exit', ended)
    worker.postMessage(question)
  })
}
