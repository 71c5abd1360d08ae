import { marked } from 'marked'
import type { ReadDocument } from './blocks'
import { readHtml } from './html'

/** Settings that site generators read, between two lines of dashes at the very start. */
const FRONT_MATTER = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/
const TITLE = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m

/**
 * Reads Markdown (CommonMark with GitHub's tables) by way of the HTML it stands for, raw HTML within it included. The title is
 * that of the front matter, else the first heading.
 * @throws DocumentProblem when it holds too much text
 */
export function readMarkdown(markdown: string): ReadDocument {
  const front = FRONT_MATTER.exec(markdown)
  const body = front ? markdown.slice(front[0].length) : markdown
  const { title, blocks } = readHtml(marked.parse(body, { async: false, gfm: true }))
  return { title: TITLE.exec(front?.[1] ?? '')?.[2] ?? title, blocks }
}
