import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type * as z from 'zod'
import { database } from '@/db/client'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import type { Logged } from '@/lib/operations/requests/fields'
import { getRequest, listKeylessRequests, listRequests, tailRequests } from '@/lib/operations/requests/log'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`)
  }

type Filters = {
  contractor: string
  status?: number
  class?: number
  endpoint?: string
  key?: string
  address?: string
  path?: string
}

const filtersOf = ({
  status,
  class: statusClass,
  endpoint,
  key: keyId,
  address,
  path,
}: Omit<Filters, 'contractor'>) => ({
  status,
  statusClass,
  endpoint,
  keyId,
  address,
  path,
})

const contextOf = async (contractor: string) => ({
  actor: operatorFor((await requireContractor(await database(), contractor)).id),
  now: new Date(),
})

const HEAD = ['ENDED', 'STATUS', 'MS', 'REQUEST', 'ENDPOINT', 'KEY', 'ADDRESS', 'ID']

function cellsOf({
  at,
  status,
  errorCode,
  durationMs,
  method,
  path,
  query,
  endpoint,
  keyId,
  address,
  id,
}: z.output<typeof Logged>) {
  const asked = `${method} ${path}${query === null ? '' : `?${query}`}`
  const outcome = errorCode === null ? String(status) : `${status} ${errorCode}`
  return [at, outcome, durationMs.toFixed(1), asked.slice(0, 80), endpoint, keyId ?? '', address, id]
}

type Listing = Filters & { limit: number; before?: string; json?: boolean }

async function list(io: Io, { contractor, limit, before, json, ...filters }: Listing): Promise<void> {
  const query = { ...filtersOf(filters), limit, before }
  const page = await execute(listRequests, await contextOf(contractor), query)
  if (json) return writeJson(io, page)
  writeTable(io, HEAD, page.items.map(cellsOf))
  if (page.next) io.err(`Older ones: --before ${page.next}\n`)
}

async function listKeyless(io: Io, { limit, json }: { limit: number; json?: boolean }): Promise<void> {
  const { items } = await execute(listKeylessRequests, { actor: serviceOperator(), now: new Date() }, { limit })
  if (json) return writeJson(io, items)
  writeTable(io, HEAD, items.map(cellsOf))
}

type Tailing = Filters & { for: number; json?: boolean }

const TAIL_EVERY_MS = 1_000

async function tail(io: Io, { contractor, for: seconds, json, ...filters }: Tailing): Promise<void> {
  const { actor } = await contextOf(contractor)
  const query = { ...filtersOf(filters), limit: 200 }
  const end = performance.now() + seconds * 1_000
  let seen = new Set<string>()
  let after: string | undefined
  while (performance.now() < end && !io.gone?.aborted) {
    const { items, cursor } = await execute(tailRequests, { actor, now: new Date() }, { ...query, after })
    for (const item of items.filter(({ id }) => !seen.has(id)))
      io.out(json ? `${JSON.stringify(item)}\n` : `${cellsOf(item).join('  ')}\n`)
    seen = new Set(items.map(({ id }) => id))
    after = cursor
    if (items.length < query.limit) await sleep(TAIL_EVERY_MS, undefined, { signal: io.gone }).catch(() => {})
  }
}

function withFilters(command: Command): Command {
  return command
    .requiredOption('--contractor <id or slug>')
    .option('--status <status>', 'such as 429', wholeNumber(100, 599))
    .option('--class <digit>', 'the first digit of the status: 4 for 400 to 499', wholeNumber(1, 5))
    .option('--endpoint <name>', 'an operation or a method of MCP: list_invoices, tools/list')
    .option('--key <key-id>')
    .option('--address <address>')
    .option('--path <beginning>')
    .option('--json', 'as JSON')
}

/** Adds `requests list|tail|show|keyless`. */
export function requestCommands(program: Command, io: Io): void {
  const requests = program.command('requests').description('the request log: list, tail, show, keyless')
  withFilters(requests.command('list').description('requests with the contractor’s keys, newest first'))
    .option('--limit <number>', 'at most 100', wholeNumber(1, 100), 50)
    .option('--before <cursor>', 'older than this place')
    .action((options) => list(io, options))
  withFilters(requests.command('tail').description('requests as they arrive, until Ctrl-C'))
    .option('--for <seconds>', 'stop after this time', wholeNumber(1, 9999), 3_600)
    .action((options) => tail(io, options))
  requests
    .command('show <request-id>')
    .description('one request')
    .requiredOption('--contractor <id or slug>')
    .action(async (id, { contractor }) => writeJson(io, await execute(getRequest, await contextOf(contractor), { id })))
  requests
    .command('keyless')
    .description('requests without a key of ours, newest first')
    .option('--limit <number>', 'at most 100', wholeNumber(1, 100), 50)
    .option('--json', 'as JSON')
    .action((options) => listKeyless(io, options))
}
