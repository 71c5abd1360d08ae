import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import { closeDatabase, DirectoryLocked, lockHolder } from '@/db/client'
import { beginEntry, closeToOthers } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { onStopSignal } from '@/lib/core/stopping'
import { forwardCommand } from './control'
import { forTerminal, type Io, type Style } from './io'

/** A server that is starting publishes its control address once the database is open. */
const PATIENCE_MS = 10_000

async function holderControl(directory: string) {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const holder = lockHolder(directory)
    if (!holder || holder.control || Date.now() > end) return holder
  }
}

async function run(argv: string[], io: Io): Promise<number> {
  beginEntry('cli')
  closeToOthers()
  const settings = env()
  if (settings.databaseDriver === 'pglite') {
    const holder = await holderControl(settings.dataDir)
    if (holder?.control) return forwardCommand(holder.control, argv, io)
    if (holder) throw new DirectoryLocked(settings.dataDir, holder)
  }
  const { runCommand } = await import('./run')
  return runCommand(argv, io).finally(closeDatabase)
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return await lines.question(question).finally(() => lines.close())
}

/** The exit code after Ctrl-C, by shell convention. */
const INTERRUPTED = 130

/** Makes the first Ctrl-C from here on ask the command to end; a second one ends it at once. */
function stop(): AbortSignal {
  const asked = new AbortController()
  onStopSignal(
    () => asked.abort(),
    () => process.exit(INTERRUPTED),
  )
  return asked.signal
}

/** Colors a text where somebody sees it: on a terminal, unless NO_COLOR says otherwise (no-color.org). */
function styled({ isTTY }: { isTTY: boolean }, text: string, style: Style | undefined): string {
  const isPlain = !isTTY || Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb'
  return style === undefined || isPlain ? text : styleText(style, text, { validateStream: false })
}

const terminal: Io = {
  out: (text, style) => void process.stdout.write(styled(process.stdout, text, style)),
  err: (text, style) => void process.stderr.write(styled(process.stderr, text, style)),
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  // The program itself runs at the top of the repository.
  cwd: process.env.PLUMBLINE_CWD ?? process.cwd(),
  stop,
  ...(process.stderr.isTTY ? { progress: (line) => void process.stderr.write(`\r\x1b[K${line}`) } : {}),
  ...(process.stdin.isTTY ? { ask } : {}),
}

/** Runs the command of this process's arguments, and sets its exit code. */
export async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), terminal)
  } catch (error) {
    forTerminal(terminal).err(`${error instanceof Error ? error.message : String(error)}\n`, 'red')
    process.exitCode = 1
  }
}
