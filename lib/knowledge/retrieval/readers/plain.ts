import { inOneLine, type ReadDocument, refuseBeyondMost } from './blocks'

/**
 * Reads plain text: a blank line ends a paragraph. It has no title.
 * @throws DocumentProblem when it holds too much text
 */
export function readPlain(text: string): ReadDocument {
  refuseBeyondMost(text.length)
  const paragraphs = text.split(/\r?\n[ \t]*\r?\n/)
  return {
    title: undefined,
    blocks: paragraphs.flatMap((paragraph) => {
      const prose = inOneLine(paragraph)
      return prose === '' ? [] : [{ kind: 'prose' as const, text: prose }]
    }),
  }
}
