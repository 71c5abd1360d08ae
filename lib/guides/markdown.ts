import { lexer, type MarkedToken, type Token } from 'marked'

const isMarked = (token: Token): token is MarkedToken =>
  /^(blockquote|br|checkbox|code|codespan|def|del|em|escape|heading|hr|html|image|link|list|list_item|paragraph|space|strong|table|text)$/.test(
    token.type,
  )

/** Markdown tokens (CommonMark with tables), without those that extensions could add, because we use none. */
export const known = (tokens: readonly Token[] = []): MarkedToken[] => tokens.filter(isMarked)

/** Splits Markdown into blocks, each of a known type. */
export const parseMarkdown = (text: string): MarkedToken[] => known(lexer(text))

/** The anchor of a heading: its words in lower case, joined by hyphens, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** A heading's words without their marks: what a table of contents shows. */
export const plainText = (tokens: readonly Token[]): string =>
  known(tokens)
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('')

export type Heading = { depth: number; text: string; anchor: string }

/** The headings of a guide in their order. */
export const headingsOf = (tokens: readonly MarkedToken[]): Heading[] =>
  tokens.flatMap((token) => {
    if (token.type !== 'heading') return []
    const text = plainText(token.tokens)
    return [{ depth: token.depth, text, anchor: anchorOf(text) }]
  })

/** Returns what stands behind a fence's ticks: the language, then the block's title. */
export function fenceOf(info = ''): { language: string; title: string } {
  const [language = ''] = info.split(/\s/, 1)
  return { language, title: info.slice(language.length).trim() }
}
