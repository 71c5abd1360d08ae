import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import type * as z from 'zod'
import { database } from '@/db/client'
import { operatorFor, serviceOperator } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import type { Assigned } from '@/lib/load/mapping/propose'
import { execute } from '@/lib/operations/execute'
import { type InspectedFile, inspectFiles } from '@/lib/operations/loads/inspect-files'
import { requireContractor } from '../contractor'
import { type Io, writeJson, writeTable } from '../io'

type Inspected = z.output<typeof InspectedFile>

/** The words for what a file is taken for. */
const TAKEN: Record<Inspected['taken'], string> = {
  ours: 'one of our own files',
  software: 'an export',
  kept: 'mapped as its columns were before',
  guessed: 'not recognized; its columns look like this',
  unusable: 'cannot be used',
}

const percent = (share: number) => (share === 0 ? '' : `${Math.round(share * 100)}%`)

function show(io: Io, { file, taken, source, form, columns, problem }: Inspected): void {
  io.out(`${file}: ${source ?? TAKEN[taken]}. ${form ?? ''}\n`)
  const rows = columns.map(({ column, fields, confidence, reason, samples }) => [
    column || '(no name)',
    fields.join(', ') || 'none',
    percent(confidence),
    samples.join(' | ').slice(0, 60),
    reason,
  ])
  if (rows.length > 0) writeTable(io, ['COLUMN', 'FIELD', 'SURE', 'SAMPLES', 'WHY'], rows)
  if (problem !== null) io.out(`${problem}\n`)
  if (taken === 'guessed')
    io.out(
      'To load it: load --contractor <id or slug> --save-map <folder>, with --map "Column=field" for what is to be another.\n',
    )
  io.out('\n')
}

type Options = { contractor?: string; map?: Assigned[]; json?: boolean }

/** Shows what files are taken for and what each column would fill; with a contractor, by the mappings that are kept for it. */
export async function inspect(io: Io, files: string[], { contractor, map, json }: Options): Promise<void> {
  const paths = files.map((file) => resolve(io.cwd, file))
  for (const [i, path] of paths.entries())
    await access(path).catch(() => {
      throw new ServiceError('bad_request', `The file ${files[i]} cannot be read. Check its path.`)
    })
  const actor =
    contractor === undefined
      ? serviceOperator()
      : operatorFor((await requireContractor(await database(), contractor)).id)
  const found = await execute(inspectFiles, { actor, now: new Date() }, { paths, map })
  if (json) return writeJson(io, found.files)
  for (const each of found.files) show(io, each)
}
