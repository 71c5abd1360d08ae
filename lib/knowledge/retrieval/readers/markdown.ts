import { Lexer, Parser, type Token } from 'marked'
import type { ReadDocument } from './blocks'
import { readHtml } from './html'

/** Settings that site generators read, between two lines of dashes at the very start. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const TITLE = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m

/** A longer run of text without a blank line is no paragraph people wrote; its emphasis is left as it stands. Characters. */
const LONGEST_INLINE = 4_000

/**
 * The library's lexer looks at all that is left of a paragraph at each mark of emphasis, so a paragraph costs the square of its
 * length. Blocks cost what they are long.
 */
class CappedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= LONGEST_INLINE) return super.inlineTokens(source, tokens)
    tokens.push({ type: 'text', raw: source, text: source, escaped: false })
    return tokens
  }
}

/**
 * Reads Markdown (CommonMark with GitHub's tables) by way of the HTML it stands for, raw HTML within it included. The title is
 * that of the front matter, else the first heading.
 * @throws DocumentProblem when it holds too much text
 */
export function readMarkdown(markdown: string): ReadDocument {
  const front = FRONT_MATTER.exec(markdown)
  const body = front ? markdown.slice(front[0].length) : markdown
  const { title, blocks } = readHtml(Parser.parse(new CappedLexer({ gfm: true }).lex(body), { gfm: true }))
  return { title: TITLE.exec(front?.[1] ?? '')?.[2] ?? title, blocks }
}
