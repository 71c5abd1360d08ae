/**
 * Signals this close together are one: at a terminal Ctrl-C reaches npm and the server at once, and npm passes it on besides; so does
 * a supervisor that tells a whole group to stop.
 */
const ECHO_MS = 500

/**
 * Hears signals to stop: SIGTERM and SIGINT, unless others are named.
 * @param stop called when this process is told to stop
 * @param again called when it is told so once more, by somebody who does not want to wait
 */
export function onStopSignal(
  stop: () => void,
  again: () => void,
  signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  let heardAt: number | undefined
  const heard = () => {
    const before = heardAt
    heardAt ??= performance.now()
    if (before === undefined) return stop()
    if (performance.now() - before > ECHO_MS) again()
  }
  for (const signal of signals) process.on(signal, heard)
}
