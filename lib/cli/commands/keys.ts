import { type Command, InvalidArgumentError, Option } from 'commander'
import type * as z from 'zod'
import { database } from '@/db/client'
import { keyContractor } from '@/db/queries/keys'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { isOverlap, OVERLAPS, type Overlap, SECRETS, type Secrets } from '@/lib/auth/manage-keys'
import { isPreset, isScope, PRESETS, type Preset, SCOPES, type Scope, SINGLE_SCOPES } from '@/lib/auth/scopes'
import { ServiceError } from '@/lib/core/errors'
import { parseDay, parseInstant } from '@/lib/core/time'
import { LEAD_SOURCES } from '@/lib/leads/sources/registry'
import { listContractors } from '@/lib/operations/contractors/contractors'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { revokeKey, rotateKey } from '@/lib/operations/keys/change-keys'
import { createKey } from '@/lib/operations/keys/create-key'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

function parseScopes(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim())
  const unknown = given.filter((scope) => !isScope(scope))
  if (unknown.length === 0) return given.filter(isScope)
  throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}. Scopes are ${SCOPES.join(', ')}.`)
}

function parsePreset(text: string): Preset {
  if (isPreset(text)) return text
  throw new InvalidArgumentError(`Presets are ${Object.keys(PRESETS).join(', ')}.`)
}

function parseOverlap(text: string): Overlap {
  if (isOverlap(text)) return text
  throw new InvalidArgumentError(`Overlaps are ${Object.keys(OVERLAPS).join(', ')}.`)
}

/** Parses `never`, a number of days (`90d`), a day or a moment. */
function parseExpiry(text: string): Date | undefined {
  if (text === 'never') return undefined
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  const date = days ? new Date(Date.now() + Number(days) * 86_400_000) : (parseDay(text) ?? parseInstant(text))
  if (date) return date
  throw new InvalidArgumentError(
    'Give never, a number of days such as 90d, a date (2027-01-31) or a time with its offset.',
  )
}

type Key = z.output<typeof listKeys.output>['items'][number]

/** A key's state for people, with the moment it has ended or ends. */
function stateOf({ state, expiresAt }: Key): string {
  if (state === 'revoked' || !expiresAt) return state
  return `${state}${state === 'active' || state === 'overlap' ? ' until' : ''} ${expiresAt.toISOString()}`
}

/** A key's preset, with what was granted beside it; else its scopes. */
const rightsOf = ({ preset, leadSource, scopes }: Key): string =>
  (preset === null
    ? scopes
    : [
        leadSource === null ? preset : `${preset}:${leadSource}`,
        ...SINGLE_SCOPES.filter((scope) => scopes.includes(scope)),
      ]
  ).join(' ')

type Made = { id: string; name: string; secret: string; scopes: string[]; oldWorksUntil?: Date }

function tell(io: Io, { secret, ...made }: Made, json: boolean | undefined): void {
  if (json) {
    writeJson(io, { ...made, key: secret })
    return
  }
  io.out(`${secret}\n`)
  io.err(
    `${made.id} (${made.name}), ${made.scopes.join(' ')}. The key is shown this once and stored nowhere; copy it now.\n`,
  )
  if (made.oldWorksUntil) io.err(`The old key works until ${made.oldWorksUntil.toISOString()}.\n`)
}

async function list(io: Io, options: { contractor?: string; json?: boolean }): Promise<void> {
  const all =
    options.contractor === undefined
      ? (await execute(listContractors, { actor: serviceOperator(), now: new Date() }, {})).items
      : [await requireContractor(await database(), options.contractor)]
  const keys: (Key & { contractor: string })[] = []
  for (const { id, slug } of all) {
    const { items } = await execute(listKeys, contextOf(id), {})
    keys.push(...items.map((key) => ({ ...key, contractor: slug })))
  }
  if (options.json) return writeJson(io, keys)
  const rows = keys.map((key) => {
    const { id, contractor, masked, name } = key
    return [id, contractor, masked, stateOf(key), name, rightsOf(key)]
  })
  writeTable(io, ['ID', 'CONTRACTOR', 'KEY', 'STATE', 'NAME', 'PERMISSIONS'], rows)
}

type Creation = {
  contractor: string
  name: string
  preset?: Preset
  source?: string
  scopes?: Scope[]
  expires?: Date
  allow?: string
  perMinute?: number
  insteadOfAddress?: boolean
  json?: boolean
}

async function create(
  io: Io,
  { contractor, name, preset, source, scopes, expires, allow, perMinute, insteadOfAddress, json }: Creation,
): Promise<void> {
  const { id } = await requireContractor(await database(), contractor)
  const allowedAddresses = allow?.split(',').filter((range) => range.trim() !== '')
  const terms = { name, allowedAddresses, perMinute, insteadOfAddress }
  tell(
    io,
    await execute(createKey, contextOf(id), { ...terms, preset, leadSource: source, scopes, expiresAt: expires }),
    json,
  )
}

const contextOf = (contractorId: string): Context => ({ actor: operatorFor(contractorId), now: new Date() })

/** Acts as the operator for the contractor a key belongs to. */
async function contextOfKey(id: string): Promise<Context> {
  const contractorId = await keyContractor((await database()).orm, id)
  if (contractorId !== undefined) return contextOf(contractorId)
  throw new ServiceError('not_found', 'There is no key with this id. `keys list` shows the existing ones.')
}

/** Adds `keys list|create|rotate|revoke`. */
export function keyCommands(program: Command, io: Io): void {
  const keys = program.command('keys').description('API keys: list, create, rotate, revoke')
  keys
    .command('list')
    .description('keys with their state, newest first')
    .option('--contractor <id or slug>', 'only of this contractor')
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--contractor <id or slug>')
    .requiredOption('--name <name>', 'what it is for')
    .option('--preset <preset>', Object.keys(PRESETS).join(', '), parsePreset)
    .addOption(new Option('--source <source>', 'what a secret URL (lead-url) is for').choices(LEAD_SOURCES))
    .option(
      '--scopes <scopes>',
      `instead of a preset, separated by commas: ${SCOPES.join(', ')}; beside one: ${SINGLE_SCOPES.join(', ')}`,
      parseScopes,
    )
    .option('--expires <when>', 'never, 90d, a date or a time', parseExpiry)
    .option('--allow <addresses>', 'only from these addresses and CIDR ranges, separated by commas')
    .option('--per-minute <number>', 'its own limit, in addition to the usual ones', Number)
    .option('--instead-of-address', 'that limit takes the place of the one by address, up to RATE_LIMIT_KEY')
    .option('--json', 'as JSON')
    .action((options) => create(io, options))
  keys
    .command('rotate <key-id>')
    .description('create a successor; the old key works until the overlap ends')
    .option<Overlap>('--overlap <time>', Object.keys(OVERLAPS).join(', '), parseOverlap, '24h')
    .option('--json', 'as JSON')
    .action(async (id: string, options: { overlap: Overlap; json?: boolean }) => {
      tell(io, await execute(rotateKey, await contextOfKey(id), { id, overlap: options.overlap }), options.json)
    })
  keys
    .command('revoke <key-id>')
    .description('revoke a key now, with its old secrets that still work after a rotation')
    .addOption(new Option('--secrets <which>', 'of a rotated key').choices(SECRETS).default('both'))
    .action(async (id: string, { secrets }: { secrets: Secrets }) => {
      const { revoked } = await execute(revokeKey, await contextOfKey(id), { id, secrets })
      const are = revoked.length === 1 ? 'is' : 'are'
      io.out(`${revoked.join(' and ')} ${are} revoked. Servers in other processes refuse it within 5 seconds.\n`)
    })
}
