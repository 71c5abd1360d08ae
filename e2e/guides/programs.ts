import { spawn } from 'node:child_process'

export type Variables = NodeJS.ProcessEnv
export type Ran = { code: number | null; out: string; err: string }

/** Runs a program to completion without blocking this process, which may run a proxy at the same time. */
export function run(command: string, args: string[], env: Variables, cwd = process.cwd()): Promise<Ran> {
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, out, err }))
  })
}
