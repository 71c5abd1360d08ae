import type { Command } from 'commander'
import type * as z from 'zod'
import { serviceOperator } from '@/lib/auth/actor'
import { createContractor, listContractors } from '@/lib/operations/contractors/contractors'
import { execute } from '@/lib/operations/execute'
import { type Io, writeJson, writeTable } from '../io'

type Options = Omit<z.input<typeof createContractor.input>, 'name'> & { json?: boolean }

const context = () => ({ actor: serviceOperator(), now: new Date() })

async function create(io: Io, name: string, { json, ...options }: Options): Promise<void> {
  const made = await execute(createContractor, context(), { name, ...options })
  if (json) writeJson(io, made)
  else io.out(`${made.id} ${made.slug}\n`)
}

async function list(io: Io, options: { json?: boolean }): Promise<void> {
  const { items } = await execute(listContractors, context(), {})
  if (options.json) return writeJson(io, items)
  const rows = items.map((c) => [c.id, c.slug, c.name, c.trade ?? '', c.currency])
  writeTable(io, ['ID', 'SLUG', 'NAME', 'TRADE', 'CURRENCY'], rows)
}

/** Adds `contractors list|create`. */
export function contractorCommands(program: Command, io: Io): void {
  const contractors = program.command('contractors').description('contractors: list, create')
  contractors
    .command('list')
    .description('all contractors, by slug')
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  contractors
    .command('create <name>')
    .description('add a contractor')
    .option('--slug <slug>', 'short name for commands; derived from the name by default')
    .option('--trade <trade>')
    .option('--city <city>')
    .option('--state <state>')
    .option('--timezone <zone>', 'such as America/Chicago')
    .option('--currency <code>', 'such as USD')
    .option('--country <code>', 'such as US; from the time zone and the currency when left out')
    .option('--demo', 'a demonstration contractor: its keys are test keys')
    .option('--json', 'as JSON')
    .action((name: string, options) => create(io, name, options))
}
