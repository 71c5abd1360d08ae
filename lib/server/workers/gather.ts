import { part } from '@/lib/runtime/runtime'
import { isMessage, sendUp } from './messages'

/** Questions to the other workers: the last id, and what to call with the answers to each. */
export type Gathering = { last: number; done: Map<number, (values: unknown[]) => void> }
const waiting = part('gathering', () => ({ last: 0, done: new Map() }))

/** Lets the other workers of this machine have what this one knows, whenever one of them gathers. */
export function tellWhenAsked(tell: () => Promise<unknown>): void {
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

/** What all workers of this machine tell, this one among them; one that does not answer in time is left out. */
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
