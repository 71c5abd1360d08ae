import { notFound } from 'next/navigation'
import { csvFile } from '@/app/(portal)/csv-file'
import { parametersOf } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { toServiceError } from '@/lib/core/errors'
import { FILES } from '../../files'

/** GET /reports/who-owes/export: all rows of a report as a CSV file, by the operation that its page shows. */
export async function GET(request: Request, { params }: { params: Promise<{ report: string }> }): Promise<Response> {
  const { report } = await params
  const file = Object.hasOwn(FILES, report) ? FILES[report] : undefined
  if (!file) notFound()
  const { actor } = await requireActor(file.operation)
  const at = await desk()
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const given = await parametersOf(Promise.resolve(query), file.parameters)
  const page = (skip: number) => file.page({ actor, now: at.now }, at, given, skip)
  // What cannot be read is said before the file begins.
  const first = await page(0).catch((thrown: unknown) => toServiceError(thrown))
  if (first instanceof Error) {
    if (first.code !== 'bad_request') throw first
    return new Response(first.message, { status: 400 })
  }
  let next: Promise<typeof first> = Promise.resolve(first)
  let written = 0
  return csvFile(`${report}-${at.today}.csv`, file.head(at), async () => {
    const { lines, isLast } = await next
    written += lines.length
    if (!isLast) next = page(written)
    return { rows: lines, isLast }
  })
}
