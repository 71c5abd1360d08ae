import { Command, CommanderError } from 'commander'
import { DirectoryLocked } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { adminCommands } from './commands/admins'
import { backupCommands } from './commands/backup'
import { contractorCommands } from './commands/contractors'
import { keyCommands } from './commands/keys'
import { leadCommands } from './commands/leads'
import { loadCommand } from './commands/load'
import { loadDocumentsCommand } from './commands/load-documents'
import { loadPermitsCommand } from './commands/load-permits'
import { migrateCommand } from './commands/migrate'
import { requestCommands } from './commands/requests'
import { retentionCommands } from './commands/retention'
import { statusCommand } from './commands/status'
import type { Io } from './io'

/** The command line as a program; every command writes to `io` only, so it runs here or inside the server alike. */
function program(io: Io): Command {
  const root = new Command('plumbline')
    .description('Plumbline from the command line')
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
  contractorCommands(root, io)
  keyCommands(root, io)
  adminCommands(root, io)
  loadCommand(root, io)
  loadPermitsCommand(root, io)
  loadDocumentsCommand(root, io)
  leadCommands(root, io)
  requestCommands(root, io)
  migrateCommand(root, io)
  backupCommands(root, io)
  retentionCommands(root, io)
  statusCommand(root, io)
  const inherit = (command: Command) => {
    for (const child of command.commands) inherit(child.copyInheritedSettings(command))
  }
  inherit(root)
  return root
}

/** What an operator reads: our own sentences whole; of a fault only its innermost cause, never a statement or its values. */
function messageOf(error: unknown): string {
  if (error instanceof ServiceError || error instanceof DirectoryLocked) return error.message
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return `The command could not be done: ${reason.slice(0, 300)}. What was written before stays; it is safe to run it again.`
}

/** Runs one command; resolves with its exit code. What went wrong is written to `io.err`, never thrown. */
export async function runCommand(argv: string[], io: Io): Promise<number> {
  try {
    await program(io).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    io.err(`${messageOf(error)}\n`)
    return 1
  }
}
