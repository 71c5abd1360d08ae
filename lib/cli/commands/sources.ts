import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type * as z from 'zod'
import { database } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import type { Context } from '@/lib/operations/define'
import { execute, type OperationCall } from '@/lib/operations/execute'
import { pauseSource, removeSource } from '@/lib/operations/sources/change-source'
import { createSource } from '@/lib/operations/sources/create-source'
import { listSourceRuns, listSources } from '@/lib/operations/sources/list-sources'
import { runSource } from '@/lib/operations/sources/run-source'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

type OfContractor = { contractor: string; json?: boolean }
type Source = z.output<typeof listSources.output>['items'][number]
type Run = z.output<typeof listSourceRuns.output>['items'][number]

async function contextOf({ contractor }: OfContractor): Promise<Context> {
  const { id } = await requireContractor(await database(), contractor)
  return { actor: operatorFor(id), now: new Date() }
}

async function list(io: Io, options: OfContractor): Promise<void> {
  const { items } = await execute(listSources, await contextOf(options), {})
  if (options.json) return writeJson(io, items)
  const rows = items.map(({ id, kind, name, health, lastSuccessAt, nextAt, lastRun }: Source) => [
    id,
    kind,
    name,
    health,
    lastSuccessAt ?? 'never',
    nextAt ?? '-',
    lastRun?.error ?? '',
  ])
  writeTable(io, ['ID', 'KIND', 'NAME', 'STATE', 'LAST SUCCESS', 'NEXT', 'WHY'], rows)
}

/** Returns a run's results, on one line. */
const said = ({ outcome, added, updated, deleted, refused, error }: Run): string =>
  `${outcome}: ${added} added, ${updated} updated, ${deleted} deleted, ${refused} refused${error ? `. ${error}` : ''}\n`

async function runs(io: Io, id: string, options: OfContractor): Promise<void> {
  const { items } = await execute(listSourceRuns, await contextOf(options), { id })
  if (options.json) return writeJson(io, items)
  for (const run of items) io.out(`${run.startedAt}  ${said(run)}`)
}

type Texts = Record<'url' | 'path' | 'host' | 'port' | 'user' | 'provider' | 'senders' | 'every', string | undefined> &
  Record<'passwordFile' | 'keyFile' | 'signingKeyFile', string | undefined>

type Addition = OfContractor & {
  kind: string
  name: string
  hour?: string
  weekday?: string
  complete?: boolean
} & Texts

/** Reads a secret from a file, because a command line shows in the list of processes. */
const secretIn = (io: Io, file: string | undefined) =>
  file === undefined ? undefined : readFileSync(resolve(io.cwd, file), 'utf8').replace(/\r?\n$/, '')

async function add(io: Io, options: Addition): Promise<void> {
  const { contractor: _, json, passwordFile, keyFile, signingKeyFile, ...given } = options
  const privateKey = secretIn(io, keyFile)
  const values = {
    ...given,
    password: secretIn(io, passwordFile),
    privateKey: privateKey === undefined ? undefined : `${privateKey}\n`,
    signingKey: secretIn(io, signingKeyFile),
  }
  const read = (): OperationCall => ({ values, whole: 'input' })
  const { text } = await execute(createSource, await contextOf(options), read, 'text')
  const made = createSource.output.parse(JSON.parse(text))
  if (json) return writeJson(io, made)
  io.out(`${made.id}\n`)
  if (made.url) io.out(`${made.url}\n`)
  if (made.url) io.err('Mails are posted to this URL. It is a secret and shown this once.\n')
}

async function run(io: Io, id: string, options: OfContractor): Promise<void> {
  const { lastRun } = await execute(runSource, await contextOf(options), { id, wait: true })
  if (options.json) return writeJson(io, lastRun)
  if (!lastRun) return
  if (lastRun.outcome === 'failed') throw new ServiceError('bad_request', said(lastRun).trim())
  io.out(said(lastRun))
}

const OF = '--contractor <id or slug>'

/** Adds `sources list|add|run|runs|pause|resume|remove`. */
export function sourceCommands(program: Command, io: Io): void {
  const sources = program
    .command('sources')
    .description('places that data is loaded from by a schedule: list, add, run, runs, pause, resume, remove')
  sources
    .command('list')
    .description('the sources, and how each is doing')
    .requiredOption(OF)
    .option('--json', 'as JSON')
    .action((options) => list(io, options))
  sources
    .command('add')
    .description('set up a source')
    .requiredOption(OF)
    .addOption(new Option('--kind <kind>').choices(['folder', 'sftp', 'link', 'mail']).makeOptionMandatory())
    .requiredOption('--name <name>', 'what it brings')
    .addOption(new Option('--every <interval>').choices(['hour', 'day', 'week']))
    .option('--hour <hour>', '0 to 23, of the contractor’s time zone')
    .option('--weekday <day>', '0 is Sunday')
    .option('--complete', 'its files have every record: what they no longer have is deleted')
    .option('--url <url>', 'link: the address of the file')
    .option('--path <path>', 'folder or sftp: the folder')
    .option('--host <host>', 'sftp: the server')
    .option('--port <port>', 'sftp')
    .option('--user <name>', 'sftp')
    .option('--password-file <file>', 'sftp: a file with the password')
    .option('--key-file <file>', 'sftp: a file with the private key')
    .addOption(new Option('--provider <name>', 'mail').choices(['postmark', 'sendgrid', 'mailgun']))
    .option('--senders <list>', 'mail: addresses and domains (@example.com) whose mails are loaded')
    .option('--signing-key-file <file>', 'mail: a file with Mailgun’s signing key')
    .option('--json', 'as JSON')
    .action((options) => add(io, options))
  sources
    .command('run <source-id>')
    .description('run a source now, and wait for its end')
    .requiredOption(OF)
    .option('--json', 'as JSON')
    .action((id: string, options) => run(io, id, options))
  sources
    .command('runs <source-id>')
    .description('the runs of a source, the latest first')
    .requiredOption(OF)
    .option('--json', 'as JSON')
    .action((id: string, options) => runs(io, id, options))
  for (const [name, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const)
    sources
      .command(`${name} <source-id>`)
      .description(paused ? 'let a source rest' : 'let a source go on')
      .requiredOption(OF)
      .action(async (id: string, options: OfContractor) => {
        const { health } = await execute(pauseSource, await contextOf(options), { id, paused })
        io.out(`${health}\n`)
      })
  sources
    .command('remove <source-id>')
    .description('remove a source; what it loaded stays')
    .requiredOption(OF)
    .action(async (id: string, options: OfContractor) => {
      await execute(removeSource, await contextOf(options), { id })
      io.out('Removed. What it loaded stays.\n')
    })
}
