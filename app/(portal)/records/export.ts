import type * as z from 'zod'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { readList } from '@/app/session/read-list'
import { type DataColumn, fileCell } from '@/app/ui/data-column'
import type { ResourceName } from '@/lib/core/resource-names'
import type { Operation } from '@/lib/operations/define'
import { browseOf } from '@/lib/operations/records'
import { csvFile } from '../csv-file'
import { dataColumns, type Item } from './columns'
import type { Found } from './list-page'
import { recordList, singularOf } from './lists'

/** The rows that are read at once. */
const ROWS = 100

type Page<Row> = { items: Row[]; next: string | null }

/**
 * Returns the route of a list’s file: all that its page finds with the same parameters, in the same order, with every column. Amounts are in the
 * currency of their row.
 */
export const fileOf =
  <Row extends { currency?: unknown }, Found extends Page<Row>>(
    { name, operation, order }: { name: string; operation: Operation<z.ZodObject, z.ZodType<Found>>; order: string },
    columnsOf: (page: Found) => readonly DataColumn<Row>[],
  ) =>
  async (request: Request): Promise<Response> => {
    const { actor } = await requireActor(operation)
    const at = await desk()
    const { after: _, before: __, ...asked } = Object.fromEntries(new URL(request.url).searchParams)
    const readPage = (place: { after?: string }) =>
      readList(operation, actor, Promise.resolve({ ...asked, ...place }), {
        inputOf: (given) => ({ sort: order, ...given, limit: ROWS }),
      })
    const begun = await readPage({})
    if (!begun.found)
      return new Response('These filters cannot be used. Fix them in the list, then export again.', { status: 400 })
    let page = begun.found
    const head = [...columnsOf(page).map((column) => column.head), 'Currency']
    return csvFile(`${name}-${at.today}.csv`, head, async () => {
      const { items, next } = page
      const columns = columnsOf(page)
      const rows = items.map((item) => [
        ...columns.map((column) => fileCell(column, item, at)),
        typeof item.currency === 'string' ? item.currency : at.currency,
      ])
      const following = next === null ? undefined : (await readPage({ after: next })).found
      if (following) page = following
      return { rows, isLast: following === undefined }
    })
  }

/** Returns the route of the file of a list of records. */
export function exportRoute(name: ResourceName) {
  const list = recordList(name)
  return fileOf<Item, Found>({ name, operation: browseOf(name), order: list.order }, ({ names }) =>
    dataColumns(list.columns, singularOf(list), names),
  )
}
