import { shared } from '@/lib/core/shared'
import { isMessage, sendUp } from './worker-messages'

/** Open questions to the other workers: the last id, and the callback for the answers to each. */
export type Gathering = { last: number; done: Map<number, (values: unknown[]) => void> }
const waiting = shared<Gathering>('gathering', () => ({ last: 0, done: new Map() }))

/** Sends this worker's value whenever another worker on this machine gathers them. */
export function shareWithWorkers(tell: () => Promise<unknown>): void {
  process.on('message', (message) => {
    if (!isMessage(message)) return
    if (message.plumbline === 'gathered') waiting().done.get(message.id)?.(message.values)
    if (message.plumbline !== 'tell') return
    const { id } = message
    tell().then(
      (value) => sendUp({ plumbline: 'told', id, value }),
      () => {},
    )
  })
}

/** Returns the values of all workers on this machine, including this one; a worker that does not answer in time is left out. */
export function gather(): Promise<unknown[]> {
  const id = ++waiting().last
  return new Promise((done) => {
    waiting().done.set(id, (values) => {
      waiting().done.delete(id)
      done(values)
    })
    sendUp({ plumbline: 'gather', id })
  })
}
