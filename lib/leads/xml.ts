import { Parser } from 'htmlparser2'
import { ServiceError } from '@/lib/core/errors'
import { parseJsonObject } from '@/lib/core/json'
import type { JsonObject } from './sources/define'

/** Nesting and elements beyond those of any lead. */
const MOST_DEPTH = 16
const MOST_ELEMENTS = 1_000

const fault = (message: string) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })

type Element = { name: string; text: string; children: Element[] }

/** Returns an element's value: its text, or its elements by their names; one that is repeated is an array. */
function contentOf({ text, children }: Element): unknown {
  if (children.length === 0) return text.trim()
  const byName = new Map<string, unknown[]>()
  for (const child of children) {
    const known = byName.get(child.name)
    if (known) known.push(contentOf(child))
    else byName.set(child.name, [contentOf(child)])
  }
  return Object.fromEntries([...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * The elements of an XML document as an object, without those that only hold the rest. Only the five entities of XML are known: a document
 * type's own are never expanded, and nothing outside is fetched.
 * @throws ServiceError `bad_request` when it is not whole, or larger than any lead
 */
export function parseXmlBody(body: string): JsonObject {
  const root: Element = { name: '', text: '', children: [] }
  const open = [root]
  let count = 0
  const parser = new Parser(
    {
      onopentag(name) {
        const element: Element = { name: local(name), text: '', children: [] }
        if (open.length > MOST_DEPTH) throw fault(`is nested deeper than ${MOST_DEPTH} levels; flatten it.`)
        if (++count > MOST_ELEMENTS) throw fault(`has more than ${MOST_ELEMENTS} elements; send fewer.`)
        open.at(-1)?.children.push(element)
        open.push(element)
      },
      ontext(text) {
        const element = open.at(-1)
        if (element) element.text += text
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(body)
  if (open.length > 1) throw fault('is XML that ends in the middle of an element; send it whole.')
  parser.end()
  let inner = root
  while (inner.children.length === 1 && inner.children[0] && inner.children[0].children.length > 0)
    inner = inner.children[0]
  if (inner.children.length === 0) throw fault('is XML without fields.')
  // By way of JSON, so that what cannot be stored is refused in one place.
  return parseJsonObject(JSON.stringify(contentOf(inner)))
}
