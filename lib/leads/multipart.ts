import { ServiceError } from '@/lib/core/errors'
import { cutHeader } from '@/lib/core/header'

/** The most parts, more than any form has fields. */
const MOST_PARTS = 1_000

const fault = (message: string) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })

/** The boundary that a `multipart/form-data` content type names (RFC 2046, section 5.1.1); undefined when there is none. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(cutHeader(contentType)) ?? []
  return quoted ?? plain
}

/** The name of a part, and whether it is a file; undefined without a name. */
function headOf(head: string): { name: string; file: string | undefined } | undefined {
  const line = head.split('\r\n').find((header) => /^content-disposition:/i.test(header))
  const name = /[;\s]name="([^"\r\n]*)"/i.exec(line ?? '')?.[1]
  const file = /[;\s]filename\*?="?([^"\r\n;]*)/i.exec(line ?? '')?.[1]
  return name === undefined ? undefined : { name, file }
}

/**
 * The fields of a form (RFC 7578), in order. Of a file only its name is kept: a lead needs no more.
 * @throws ServiceError `bad_request` without a boundary, with an unfinished last part, or with more than 1,000 parts
 */
export function multipartFields(body: string, contentType: string): [name: string, value: string][] {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) throw fault('is multipart, but its Content-Type names no boundary.')
  // The first delimiter may stand at the very beginning; every other one begins with a line break.
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`)
  if (parts.length - 1 > MOST_PARTS) throw fault(`has more than ${MOST_PARTS} parts; send fewer fields.`)
  if (!parts.at(-1)?.startsWith('--')) throw fault('ends in the middle of a part; send it whole.')
  return parts.slice(1, -1).flatMap((part) => {
    const end = part.indexOf('\r\n\r\n')
    const head = end < 0 ? undefined : headOf(part.slice(0, end))
    if (!head) return []
    return [[head.name, head.file === undefined ? part.slice(end + 4) : head.file] as [string, string]]
  })
}
