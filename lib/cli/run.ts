import { Command, CommanderError, type Option } from 'commander'
import { OperatorError, ServiceError } from '@/lib/core/errors'
import { BUILD } from '@/lib/core/service'
import { forTerminal, type Io } from './io'

type Group = (root: Command, io: Io) => void

const backup = async (): Promise<Group> => (await import('./commands/backup')).backupCommands

/** Commands by their first word. Each is loaded when it is called, because loading all of them takes seconds. */
const GROUPS: Record<string, () => Promise<Group>> = {
  contractors: async () => (await import('./commands/contractors')).contractorCommands,
  keys: async () => (await import('./commands/keys')).keyCommands,
  admin: async () => (await import('./commands/admins')).adminCommands,
  sso: async () => (await import('./commands/sso')).ssoCommands,
  load: async () => (await import('./commands/load')).loadCommand,
  'load-permits': async () => (await import('./commands/load-permits')).loadPermitsCommand,
  'load-documents': async () => (await import('./commands/load-documents')).loadDocumentsCommand,
  leads: async () => (await import('./commands/leads')).leadCommands,
  migrate: async () => (await import('./commands/migrate')).migrateCommand,
  backup,
  restore: backup,
  sources: async () => (await import('./commands/sources')).sourceCommands,
  retention: async () => (await import('./commands/retention')).retentionCommands,
  requests: async () => (await import('./commands/requests')).requestCommands,
  completion: async () => (await import('./completion')).completionCommand,
  status: async () => (await import('./commands/status')).statusCommand,
}

/** The first words of all commands. */
export const COMMANDS: readonly string[] = Object.keys(GROUPS)

/** The group that is called; all of them for help or an unknown word. */
function groupsFor(word: string | undefined): Promise<Group[]> {
  // Completion needs the names of all.
  const one = word !== undefined && word !== 'completion' && Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined
  return Promise.all((one ? [one] : [...new Set(Object.values(GROUPS))]).map((load) => load()))
}

/** The width of help where no terminal says it. */
const HELP_WIDTH = 100

/** An option's line of help; one that must be given says so. */
const describe = ({ description, mandatory }: Option) =>
  [description, mandatory ? '(required)' : ''].filter(Boolean).join(' ')

/** The command line as a program; every command writes to `io` only, so it runs here or inside the server. */
async function program(io: Io, word: string | undefined): Promise<Command> {
  const root = new Command('plumbline')
    .description('Plumbline from the command line')
    .version(BUILD.name, '--version', 'the version, and the commit it was built from')
    .configureHelp({ optionDescription: describe })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHelpWidth: () => io.width ?? HELP_WIDTH,
    })
  for (const add of await groupsFor(word)) add(root, io)
  const inherit = (command: Command) => {
    for (const child of command.commands) inherit(child.copyInheritedSettings(command))
  }
  inherit(root)
  return root
}

/**
 * Returns what the operator reads: our own messages in full; of an unexpected error only its innermost cause, never a statement or its
 * values.
 */
function messageOf(error: unknown): string {
  if (error instanceof ServiceError || error instanceof OperatorError) return error.message
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return `The command could not be done: ${reason.slice(0, 300)}. What was written before stays; it is safe to run it again.`
}

/** The exit code of a command that was not understood: nothing was tried. A command that was tried and failed ends with 1. */
const MISUSED = 2

/** Reports whether Commander itself refused: unknown commands, options and values. */
const isMisuse = ({ code, exitCode }: CommanderError) => code.startsWith('commander.') && exitCode !== 0

/** Runs one command; resolves with its exit code. Errors are written to `writesTo.err`, never thrown. */
export async function runCommand(argv: string[], writesTo: Io): Promise<number> {
  const io = forTerminal(writesTo)
  try {
    await (await program(io, argv[0])).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return isMisuse(error) ? MISUSED : error.exitCode
    io.err(`${messageOf(error)}\n`, 'red')
    return 1
  }
}
