import type { Command } from 'commander'
import { database } from '@/db/client'
import { insertContractor, listContractors, type NewContractor } from '@/db/queries/contractors'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { type Io, writeJson, writeTable } from '../io'

type Options = Partial<Pick<NewContractor, 'slug' | 'currency' | 'timezone' | 'demo'>> & {
  trade?: string
  city?: string
  state?: string
  json?: boolean
}

/** A name as a slug: lower case, words joined by hyphens. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

/** @throws ServiceError `bad_request` when a part cannot be used */
function checked(name: string, { json: _, ...options }: Options): NewContractor {
  const slug = options.slug ?? slugOf(name)
  const fault = (message: string) => new ServiceError('bad_request', message)
  if (name.trim() === '' || name.length > 200) throw fault('A contractor needs a name of at most 200 characters.')
  if (!/^[a-z0-9][a-z0-9-]{1,62}$/.test(slug)) {
    throw fault('A slug has 2 to 63 lower-case letters, digits and hyphens. Give one with --slug.')
  }
  if (options.currency && !/^[A-Z]{3}$/.test(options.currency))
    throw fault('A currency is three capital letters, such as USD.')
  if (options.timezone && !isTimeZone(options.timezone)) throw fault('A time zone is a name such as America/Chicago.')
  return { id: newId('contractor'), name: name.trim(), ...options, slug }
}

async function create(io: Io, name: string, options: Options): Promise<void> {
  const made = await insertContractor((await database()).orm, checked(name, options))
  if (!made) throw new ServiceError('bad_request', 'Another contractor has this slug. Choose another with --slug.')
  if (options.json) writeJson(io, made)
  else io.out(`${made.id} ${made.slug}\n`)
}

async function list(io: Io, options: { json?: boolean }): Promise<void> {
  const all = await listContractors((await database()).orm)
  if (options.json) return writeJson(io, all)
  const rows = all.map((c) => [c.id, c.slug, c.name, c.trade ?? '', c.currency])
  writeTable(io, ['ID', 'SLUG', 'NAME', 'TRADE', 'CURRENCY'], rows)
}

/** `contractors list|create` */
export function contractorCommands(program: Command, io: Io): void {
  const contractors = program.command('contractors').description('contractors: list, create')
  contractors
    .command('list')
    .description('every contractor, by slug')
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  contractors
    .command('create <name>')
    .description('add a contractor')
    .option('--slug <slug>', 'short name for commands; made from the name when left out')
    .option('--trade <trade>')
    .option('--city <city>')
    .option('--state <state>')
    .option('--timezone <zone>', 'such as America/Chicago')
    .option('--currency <code>', 'such as USD')
    .option('--demo', 'a demonstration contractor: its keys are test keys')
    .option('--json', 'as JSON')
    .action((name: string, options) => create(io, name, options))
}
