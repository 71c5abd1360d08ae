import { hrefOf } from '@/app/query'
import { type DataColumn, fileCell } from '@/app/ui/data-column'
import type { Desk } from '@/lib/core/desk'
import type { AnyOperation, Context } from '@/lib/operations/define'

type Line = (string | number | null)[]
type Rows<Row> = { rows: readonly Row[]; more: number }

/** The rows of a report as a file: the operation it is read by, its head, and its lines page by page. */
export type ReportFile = {
  operation: AnyOperation
  parameters: readonly string[]
  head: (at: Desk) => Line
  page: (
    ctx: Context,
    at: Desk,
    given: Record<string, string>,
    skip: number,
  ) => Promise<{ lines: Line[]; isLast: boolean }>
}

/** Makes a report's file of the columns that its page shows and what only the file has. */
export const fileOf = <Row>(
  operation: AnyOperation,
  parameters: readonly string[],
  columns: (at: Desk) => DataColumn<Row>[],
  rows: (ctx: Context, at: Desk, given: Record<string, string>, skip: number) => Promise<Rows<Row>>,
): ReportFile => ({
  operation,
  parameters,
  head: (at) => columns(at).map(({ head }) => head),
  page: async (ctx, at, given, skip) => {
    const { rows: found, more } = await rows(ctx, at, given, skip)
    const lines = found.map((row) => columns(at).map((column) => fileCell(column, row)))
    return { lines, isLast: more === 0 || found.length === 0 }
  },
})

/** Links to the pages of a report beside the one shown. */
export function pagesOf(path: string, given: Record<string, string>, { size, more }: { size: number; more: number }) {
  const skip = Number(given.skip ?? 0)
  const at = (place: number) => hrefOf(path, { ...given, skip: place > 0 ? String(place) : undefined })
  return {
    previous: skip > 0 ? at(skip - size) : undefined,
    next: more > 0 ? at(skip + size) : undefined,
  }
}

/** A number of a parameter; of other text the text, which the operation refuses by name. */
export const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text)
