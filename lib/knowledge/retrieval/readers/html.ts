import { Parser } from 'htmlparser2'
import { asLines, type Block, inOneLine, type ReadDocument, refuseBeyondMost } from './blocks'

/** Elements that are not displayed, or that hold no content of the page. */
const DROPPED = new Set('script style noscript template nav svg math iframe object select button textarea'.split(' '))

/** Elements that do not end a paragraph; every other element does. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark output q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** Turns parser events into blocks. Builds no tree, so deep nesting costs no memory. */
class PageBlocks {
  readonly blocks: Block[] = []
  title = ''
  private text = ''
  /** True when only spaces came since the last block. Kept as a flag because scanning the text at each event would be slow. */
  private isBlank = true
  private taken = 0
  private dropped = 0
  private tables = 0
  private preformatted = 0
  private heading = 0
  private inTitle = false
  private rows: string[] = []

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.dropped > 0 || DROPPED.has(name) || 'hidden' in attributes) this.dropped++
    else this.begin(name)
  }

  onclosetag(name: string): void {
    if (this.dropped > 0) this.dropped--
    else this.end(name)
  }

  ontext(text: string): void {
    if (this.dropped > 0) return
    this.taken += text.length
    refuseBeyondMost(this.taken)
    if (this.inTitle) this.title += text
    else {
      this.text += text
      if (this.isBlank && /\S/.test(text)) this.isBlank = false
    }
  }

  private begin(name: string): void {
    if (INLINE.has(name)) return
    if (name === 'title') this.inTitle = true
    else if (name === 'br') this.text += '\n'
    else if (name === 'td' || name === 'th') this.text += this.isBlank ? '' : ' | '
    else this.endParagraph()
    if (name === 'table') this.tables++
    if (name === 'pre') this.preformatted++
    if (/^h[1-6]$/.test(name)) this.heading = Number(name[1])
  }

  private end(name: string): void {
    if (INLINE.has(name) || name === 'td' || name === 'th' || name === 'br') return
    if (name === 'title') this.inTitle = false
    if (name === 'tr') this.endRow()
    else this.endParagraph()
    if (name === 'table' && --this.tables === 0) this.endTable()
    if (name === 'pre') this.preformatted--
    if (/^h[1-6]$/.test(name)) this.heading = 0
  }

  /** A paragraph inside a table cell belongs to its row. */
  private endParagraph(): void {
    if (this.tables > 0) {
      this.text += ' '
      return
    }
    const isPreformatted = this.preformatted > 0
    const text = isPreformatted ? asLines(this.text) : inOneLine(this.text)
    this.text = ''
    this.isBlank = true
    if (text === '') return
    if (this.heading > 0) this.blocks.push({ kind: 'heading', level: this.heading, text: inOneLine(text) })
    else this.blocks.push({ kind: isPreformatted ? 'lines' : 'prose', text })
  }

  private endRow(): void {
    const row = inOneLine(this.text)
    if (row !== '') this.rows.push(row)
    this.text = ''
    this.isBlank = true
  }

  private endTable(): void {
    this.endRow()
    if (this.rows.length > 0) this.blocks.push({ kind: 'lines', text: this.rows.join('\n') })
    this.rows = []
  }
}

/**
 * Reads HTML as a browser displays it: without scripts, styles, navigation and `hidden` elements. The title is the page's own, else
 * its first heading.
 * @throws DocumentProblem when it holds too much text
 */
export function readHtml(html: string): ReadDocument {
  const page = new PageBlocks()
  const parser = new Parser({
    onopentag: (name, attributes) => page.onopentag(name, attributes),
    onclosetag: (name) => page.onclosetag(name),
    ontext: (text) => page.ontext(text),
  })
  parser.end(html)
  page.onclosetag('html')
  const heading = page.blocks.find(({ kind }) => kind === 'heading')?.text
  return { title: inOneLine(page.title) || heading, blocks: page.blocks }
}
