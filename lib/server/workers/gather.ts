import { processWide } from '@/lib/core/shared'
import { isMessage, sendUp } from './messages'

const waiting = processWide('gathering', () => ({ last: 0, done: new Map<number, (values: unknown[]) => void>() }))

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
