import { Lexer, Parser, type Token } from 'marked'
import type { ReadDocument } from './blocks'
import { readHtml } from './html'

/** The front matter of site generators, between two lines of dashes at the very start. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const TITLE = /^title:(.*)$/m

/** The title in front matter, without the quotes around it; undefined where there is none. */
function titleIn(front: string): string | undefined {
  const title = (TITLE.exec(front)?.[1] ?? '').trim()
  const isQuoted = title.length > 2 && /^["']/.test(title) && title.at(-1) === title[0]
  return (isQuoted ? title.slice(1, -1) : title) || undefined
}

/** The limit in characters. A longer run without a blank line is not a paragraph that people wrote, so its emphasis is not parsed. */
const LONGEST_INLINE = 4_000

/**
 * The library's lexer rescans the rest of a paragraph at each emphasis mark, so its time grows with the square of the paragraph's
 * length. This one parses long paragraphs as plain text, which takes linear time.
 */
class CappedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= LONGEST_INLINE) return super.inlineTokens(source, tokens)
    tokens.push({ type: 'text', raw: source, text: source, escaped: false })
    return tokens
  }
}

/**
 * Reads Markdown (CommonMark with GitHub's tables) by converting it to HTML, including raw HTML in it. The title comes from the
 * front matter, else the first heading.
 * @throws DocumentProblem when it holds too much text
 */
export function readMarkdown(markdown: string): ReadDocument {
  const front = FRONT_MATTER.exec(markdown)
  const body = front ? markdown.slice(front[0].length) : markdown
  const { title, blocks } = readHtml(Parser.parse(new CappedLexer({ gfm: true }).lex(body), { gfm: true }))
  return { title: titleIn(front?.[1] ?? '') ?? title, blocks }
}
