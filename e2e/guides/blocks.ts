import type { Env } from '@/lib/core/env'
import { fillIn } from '@/lib/guides/guides'
import { fenceOf, parseMarkdown } from '@/lib/guides/markdown'
import { guideSources } from '@/lib/guides/source'

/** The result that running a block must show; written in the guide after the block. */
export type Mark = {
  /** Status of curl's last request. */
  status?: number
  exit: number
  /** Texts that must be printed, or patterns between slashes. */
  prints: string[]
  /** The block configures an MCP client. */
  client: boolean
  /** The path whose response the block shows. */
  answerOf?: string
  headersOf?: string
}

export type Block = { language: string; title: string; code: string; mark: Mark }

const DIRECTIVES: [RegExp, (mark: Mark, value: string) => void][] = [
  [/^status (\d{3})$/, (mark, value) => Object.assign(mark, { status: Number(value) })],
  [/^exit (\d+)$/, (mark, value) => Object.assign(mark, { exit: Number(value) })],
  [/^prints (.+)$/, (mark, value) => mark.prints.push(value)],
  [/^(client)$/, (mark) => Object.assign(mark, { client: true })],
  [/^answer of GET (\/\S+)$/, (mark, value) => Object.assign(mark, { answerOf: value })],
  [/^headers of GET (\/\S+)$/, (mark, value) => Object.assign(mark, { headersOf: value })],
]

/** Reads a block's mark. @throws Error when the mark is missing, empty or unknown */
export function readMark(html: string | undefined, where: string): Mark {
  const lines = /^<!-- test\n([\s\S]+)\n-->\s*$/.exec(html ?? '')?.[1]?.split('\n')
  if (!lines) throw new Error(`${where}: no mark says how it is tested`)
  const mark: Mark = { exit: 0, prints: [], client: false }
  for (const line of lines) {
    const found = DIRECTIVES.map(([pattern, apply]) => ({ match: pattern.exec(line), apply })).find(
      ({ match }) => match,
    )
    if (!found) throw new Error(`${where}: nobody understands the mark "${line}"`)
    found.apply(mark, found.match?.[1] ?? '')
  }
  return mark
}

/** Returns a guide's code blocks in order, with a deployment's addresses filled in. */
export function blocksOf(slug: string, settings: Env): Block[] {
  const body = guideSources().find((guide) => guide.slug === slug)?.body ?? ''
  const tokens = parseMarkdown(fillIn(body, settings)).filter(({ type }) => type !== 'space')
  return tokens.flatMap((token, at) => {
    if (token.type !== 'code') return []
    const { language, title } = fenceOf(token.lang)
    return [{ language, title, code: token.text, mark: readMark(tokens[at + 1]?.raw, `${slug}: ${title}`) }]
  })
}
