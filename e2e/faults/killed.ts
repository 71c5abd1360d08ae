import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { environment, type Home } from '../running'

/** Runs a command of the service and kills it after a while, as a power failure would. Returns whether it was still running. */
export async function killed(home: Home, args: string[], afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['bin/plumbline.mjs', ...args], {
    env: environment(home.env),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await ended
  clearTimeout(timer)
  return child.signalCode === 'SIGKILL'
}
