import { resolve } from 'node:path'
import type { Command } from 'commander'
import type * as z from 'zod'
import { database } from '@/db/client'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { loadDocuments } from '@/lib/operations/loads/load-documents'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

type Options = { contractor?: string; public?: boolean; prune?: boolean; json?: boolean; strict?: boolean }

const LISTED = 20

/** Returns one line for a terminal: a file name must not move the cursor or end the line. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, ' ')

function write(io: Io, report: z.output<typeof loadDocuments.output>): void {
  const { files, added, updated, unchanged, removed, refused, refusedCount, ignored, milliseconds } = report
  const counts = { files, added, updated, unchanged, removed, refused: refusedCount }
  writeTable(io, Object.keys(counts), [Object.values(counts).map((n) => n.toLocaleString('en-US'))])
  const endings = Object.entries(ignored).map(([ending, n]) => `${n} ${ending}`)
  if (endings.length > 0) io.out(`\nNot read, as no reader knows them: ${printable(endings.join(', '))}\n`)
  if (refusedCount > 0) io.out('\nRefused:\n')
  for (const { file, reason } of refused.slice(0, LISTED)) io.out(`  ${printable(`${file} ${reason}`)}\n`)
  if (refusedCount > LISTED) io.out(`  and ${refusedCount - LISTED} more; --json shows the first thousand.\n`)
  io.out(`\nDone in ${(milliseconds / 1000).toFixed(1)} s.\n`)
}

async function load(io: Io, paths: string[], options: Options): Promise<void> {
  if ((options.contractor === undefined) === !options.public)
    throw new ServiceError(
      'bad_request',
      'Name whose documents these are: --contractor <id or slug>, or --public for every contractor’s.',
    )
  const { contractor, prune } = options
  const owner = contractor === undefined ? undefined : await requireContractor(await database(), contractor)
  const actor = owner ? operatorFor(owner.id) : serviceOperator()
  const input = { paths: paths.map((path) => resolve(io.cwd, path)), isPublic: owner === undefined, prune }
  const report = await execute(loadDocuments, { actor, now: new Date() }, input)
  if (options.json) writeJson(io, report)
  else write(io, report)
  if (options.strict && report.refusedCount > 0)
    throw new ServiceError('bad_request', 'Some files were refused; see above. The others are loaded.')
}

/** Adds `load-documents --contractor <id or slug> <files or folders>`. */
export function loadDocumentsCommand(program: Command, io: Io): void {
  program
    .command('load-documents <paths...>')
    .description('load Markdown, text, HTML and PDF files, or folders of them, to be searched')
    .option('--contractor <id or slug>', 'whose documents they are')
    .option('--public', 'documents for every contractor')
    .option('--prune', 'remove documents of these folders whose files no longer exist')
    .option('--strict', 'end with code 1 when a file was refused')
    .option('--json', 'the report as JSON')
    .action((paths: string[], options) => load(io, paths, options))
}
