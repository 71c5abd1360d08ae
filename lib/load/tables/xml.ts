import { StringDecoder } from 'node:string_decoder'
import { Parser } from 'htmlparser2'
import { slicer } from '@/lib/core/slices'
import { FileProblem } from '../fault'

/** Handlers called for the elements of a document, without the prefix of their namespace. */
export type XmlHandler = {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

/** The most characters between two events: a document whose tag or comment is longer would fill the memory. */
const LONGEST_MARKUP = 1024 * 1024
const NOT_WHOLE = 'The workbook cannot be read: a part of it is not whole. Save it again, or save the sheet as CSV.'
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Parses a document as it arrives, yielding after each chunk, so that its consumer can take what the handler collected. Only the five
 * entities of XML are known: a document type's own are never expanded, and nothing outside is fetched.
 * @throws FileProblem for markup that no workbook has
 */
export async function* parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  let since = 0
  let depth = 0
  // An element that closes itself is reported as one that was never closed: nothing came since it was opened.
  let isEmpty = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        since = 0
        isEmpty = true
        depth++
        if (depth > 64) throw new FileProblem('The workbook cannot be read: its parts are nested too deep.')
        handler.open?.(local(name), attributes)
      },
      ontext(text) {
        since = 0
        isEmpty = false
        handler.text?.(text)
      },
      onclosetag(name, isImplied) {
        since = 0
        if (isImplied && !isEmpty) throw new FileProblem(NOT_WHOLE)
        isEmpty = false
        depth--
        handler.close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new StringDecoder('utf8')
  const breathe = slicer(2)
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += 16_384) {
      const text = decoder.write(chunk.subarray(at, at + 16_384))
      since += text.length
      if (since > LONGEST_MARKUP) throw new FileProblem('The workbook cannot be read: a tag is longer than a megabyte.')
      parser.write(text)
      await breathe()
      yield
    }
  }
  if (depth > 0) throw new FileProblem(NOT_WHOLE)
  parser.end()
  yield
}

/** Parses a whole document. */
export async function parseAll(chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(chunks, handler));
}
