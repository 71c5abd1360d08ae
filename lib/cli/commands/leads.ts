import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { database } from '@/db/client'
import { deliveryContractor } from '@/db/queries/deliveries'
import { operatorFor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { OUTCOMES, type Outcome } from '@/lib/leads/deliveries'
import { getLeadDelivery, listLeadDeliveries, replayLeadDelivery, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { removeLeadSecret, SOURCES_WITH_SECRET, setLeadSecret } from '@/lib/operations/lead-secrets'
import { tryLead } from '@/lib/operations/try-lead'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

const oneOf =
  <T extends string>(values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`Give one of ${values.join(', ')}.`)
  }

function parseLimit(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number from 1 to 100.')
}

const contextOf = (contractorId: string) => ({ actor: operatorFor(contractorId), now: new Date() })

async function contextOfDelivery(id: string) {
  const contractorId = await deliveryContractor((await database()).orm, id)
  if (contractorId !== undefined) return contextOf(contractorId)
  throw new ServiceError('not_found', 'There is no delivery with this id. `leads list` shows the stored ones.')
}

function readFile(io: Io, path: string): string {
  try {
    return readFileSync(isAbsolute(path) ? path : join(io.cwd, path), 'utf8')
  } catch {
    throw new ServiceError('bad_request', `The file ${path} cannot be read.`)
  }
}

type Listing = { contractor: string; outcome?: Outcome; limit: number; before?: string; json?: boolean }

async function list(io: Io, { contractor, json, ...page }: Listing): Promise<void> {
  const { id } = await requireContractor(await database(), contractor)
  const { items } = await execute(listLeadDeliveries, contextOf(id), page)
  if (json) return writeJson(io, items)
  const rows = items.map((item) => {
    const made = item.jobNumber === null ? (item.reason ?? '') : `job ${item.jobNumber}, ${item.projectId}`
    const again = item.replayOutcome === null ? '' : `; run again: ${item.replayOutcome}`
    return [
      item.id,
      item.receivedAt.toISOString(),
      item.source,
      `${item.status} ${item.outcome}`,
      `${made}${again}`.slice(0, 100),
    ]
  })
  writeTable(io, ['ID', 'RECEIVED', 'SOURCE', 'OUTCOME', 'PROJECT OR REASON'], rows)
}

async function show(io: Io, id: string, { json }: { json?: boolean }): Promise<void> {
  const { body, ...delivery } = await execute(getLeadDelivery, await contextOfDelivery(id), { id })
  if (json) return writeJson(io, { ...delivery, body })
  writeJson(io, delivery)
  io.out(`\n${body}\n`)
}

type Replay = { body?: string; source?: string; json?: boolean }

async function replay(io: Io, id: string, { body, source, json }: Replay): Promise<void> {
  const edited = body === undefined ? undefined : readFile(io, body)
  const result = await execute(replayLeadDelivery, await contextOfDelivery(id), { id, body: edited, source })
  if (json) return writeJson(io, result)
  const made =
    result.projectId === undefined
      ? ''
      : ` ${result.projectId}${result.jobNumber === undefined ? '' : `, job ${result.jobNumber}`}.`
  io.out(`${result.outcome}:${made} ${result.message}\n`)
}

type Trial = { contractor: string; source?: string; contentType?: string }

async function tryFile(io: Io, file: string, { contractor, ...rest }: Trial): Promise<void> {
  const { id } = await requireContractor(await database(), contractor)
  writeJson(io, await execute(tryLead, contextOf(id), { body: readFile(io, file), ...rest }))
}

async function secret(
  io: Io,
  source: (typeof SOURCES_WITH_SECRET)[number],
  { contractor, remove, file }: { contractor: string; remove?: boolean; file?: string },
): Promise<void> {
  const ctx = contextOf((await requireContractor(await database(), contractor)).id)
  if (remove) {
    await execute(removeLeadSecret, ctx, { source })
    return io.out('Removed: leads from this source no longer need a secret.\n')
  }
  const entered = file === undefined ? undefined : readFile(io, file).trim()
  const made = await execute(setLeadSecret, ctx, { source, secret: entered })
  const shown = made.secret ?? made.verifyToken
  if (shown !== null) {
    io.out(`${shown}\n`)
    const where = made.verifyToken === null ? 'secret of the form’s webhook' : 'verify token of the webhook'
    io.err(`Enter it as the ${where}. It is shown only once.\n`)
  }
  io.err('From now on leads from this source that do not prove themselves by the secret are refused.\n')
}

/** Adds `leads list|show|replay|try|secret`. */
export function leadCommands(program: Command, io: Io): void {
  const leads = program.command('leads').description('deliveries to the lead webhook: list, show, replay, try, secret')
  leads
    .command('list')
    .description('deliveries to the webhook with their outcome, newest first')
    .requiredOption('--contractor <id or slug>')
    .option('--outcome <outcome>', OUTCOMES.join(', '), oneOf(OUTCOMES))
    .option('--limit <number>', 'at most 100', parseLimit, 50)
    .option('--before <delivery-id>', 'older than this one')
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  leads
    .command('show <delivery-id>')
    .description('one delivery: body, mapping, reasons')
    .option('--json', 'as JSON')
    .action((id, options) => show(io, id, options))
  leads
    .command('replay <delivery-id>')
    .description('replay a delivery, unchanged or edited; never makes a second project')
    .option('--body <file>', 'an edited body, JSON')
    .option('--source <source>', SOURCE_NAMES.join(', '), oneOf(SOURCE_NAMES))
    .option('--json', 'as JSON')
    .action((id, options) => replay(io, id, options))
  leads
    .command('try <file>')
    .description('read a body as the webhook would; creates nothing')
    .requiredOption('--contractor <id or slug>')
    .option('--source <source>', SOURCE_NAMES.join(', '), oneOf(SOURCE_NAMES))
    .option('--content-type <type>', 'default: application/json')
    .action((file, options) => tryFile(io, file, options))
  leads
    .command('secret')
    .argument('<source>', SOURCES_WITH_SECRET.join(', '), oneOf(SOURCES_WITH_SECRET))
    .description('set the secret by which a sender proves itself, in its body or by a signature')
    .requiredOption('--contractor <id or slug>')
    .option('--file <file>', 'the secret that the sender made, such as Meta’s app secret; without it one is made')
    .option('--remove', 'require none')
    .action((source, options) => secret(io, source, options))
}
