import { afterEach, expect, test, vi } from 'vitest'
import { onStopSignal } from './stopping'

// Signals of this process that mean nothing to the runner. What real ones do to a process is shown where servers and commands are stopped.
const SIGNALS: NodeJS.Signals[] = ['SIGUSR2', 'SIGWINCH']
afterEach(() => {
  for (const signal of SIGNALS) process.removeAllListeners(signal)
})

test('repeated signals within a moment count as one; a later one ends the process at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const [stop, again] = [vi.fn(), vi.fn()]
  onStopSignal(stop, again, SIGNALS)
  process.emit('SIGUSR2')
  process.emit('SIGUSR2')
  vi.advanceTimersByTime(500)
  process.emit('SIGWINCH')
  expect([stop.mock.calls.length, again.mock.calls.length]).toEqual([1, 0])
  vi.advanceTimersByTime(1)
  process.emit('SIGWINCH')
  expect([stop.mock.calls.length, again.mock.calls.length]).toEqual([1, 1])
})
