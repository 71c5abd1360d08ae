import { CSV_MARK, csvLine } from '@/lib/core/csv-line'

type Row = Parameters<typeof csvLine>[0]

/**
 * Returns a CSV file to be downloaded, which spreadsheets read as UTF-8. It is read page by page, as fast as the client downloads it.
 * @param next reads a page; one before the last may have no rows
 */
export function csvFile(name: string, head: Row, next: () => Promise<{ rows: Row[]; isLast: boolean }>): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(CSV_MARK + csvLine(head))),
    async pull(controller) {
      let page = await next()
      // Something must be sent, or the stream does not request the next page.
      while (page.rows.length === 0 && !page.isLast) page = await next()
      if (page.rows.length > 0) controller.enqueue(Buffer.from(page.rows.map(csvLine).join('')))
      if (page.isLast) controller.close()
    },
  })
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(body, { headers })
}
