import { MEGABYTE } from '@/lib/core/uploads'
import { LONGEST_TEXT } from '@/lib/resources/csv'
import { FileProblem } from '../fault'
import { parseAll } from './xml'
import type { Parts } from './zip'

/** The parts that the cells of a workbook refer to: its texts, which number formats are dates, and from when its days are counted. */
export type Workbook = {
  sheets: { name: string; path: string }[]
  texts: string[]
  dateStyles: ReadonlySet<number>
  is1904: boolean
}

/** The largest list of texts allowed: it is the only part that is held in memory. */
const MOST_TEXTS = { inflated: 256 * MEGABYTE, characters: 64 * MEGABYTE, count: 2_000_000 }
const MOST_SHEETS = 200
const SMALL = 16 * MEGABYTE

/** Reports whether an id is one of Excel's formats for dates and times (ECMA-376, 18.8.30). */
const isDateFormat = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
/** Characters in a number format, the most that Excel takes. */
const LONGEST_FORMAT = 255
/** The parts that a number format shows as they are, names or escapes; quotes and brackets that nothing closes run to its end. */
const LITERAL = /"[^"]*"?|\[[^\]]*\]?|\\./g
/** Reports whether a custom format shows a date: letters of one outside of quotes, brackets and escapes. */
export const showsDate = (code: string) =>
  /[dmy]/i.test(
    code
      .slice(0, LONGEST_FORMAT)
      .replace(LITERAL, '')
      .replace(/general|red/gi, ''),
  )

async function sheetsOf(parts: Parts): Promise<Pick<Workbook, 'sheets' | 'is1904'>> {
  const targets = new Map<string, string>()
  const found: { name: string; id: string }[] = []
  let is1904 = false
  await parseAll(parts.read('xl/workbook.xml', SMALL), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (name === 'sheet' && found.length < MOST_SHEETS)
        found.push({ name: attributes.name ?? '', id: attributes['r:id'] ?? attributes.id ?? '' })
    },
  })
  await parseAll(parts.read('xl/_rels/workbook.xml.rels', SMALL), {
    open(name, { Id = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return
      targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const sheets = found.flatMap(({ name, id }) => {
    const path = targets.get(id)
    return path !== undefined && parts.has(path) ? [{ name, path }] : []
  })
  if (sheets.length === 0) throw new FileProblem('The workbook has no sheet. Save the sheet as CSV, and load that.')
  return { sheets, is1904 }
}

/** Reads the texts that cells share. A copy of each, because a slice would keep the whole chunk it was read from. */
async function textsOf(parts: Parts): Promise<string[]> {
  if (!parts.has('xl/sharedStrings.xml')) return []
  const texts: string[] = []
  let [text, isText, phonetic, characters] = ['', false, 0, 0]
  await parseAll(parts.read('xl/sharedStrings.xml', MOST_TEXTS.inflated), {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic++
      isText = name === 't' && phonetic === 0
    },
    text(more) {
      if (isText && text.length <= LONGEST_TEXT) text += more.slice(0, LONGEST_TEXT + 1)
    },
    close(name) {
      isText = false
      if (name === 'rPh') phonetic--
      if (name !== 'si') return
      characters += text.length
      if (characters > MOST_TEXTS.characters || texts.length >= MOST_TEXTS.count)
        throw new FileProblem(
          'The workbook has more text than can be held in memory. Save the sheet as CSV, and load that.',
        )
      texts.push(Buffer.from(text, 'utf16le').toString('utf16le'))
    },
  })
  return texts
}

/** Reads which of the cell styles show a number as a date. */
async function dateStylesOf(parts: Parts): Promise<Set<number>> {
  const styles = new Set<number>()
  if (!parts.has('xl/styles.xml')) return styles
  const custom = new Map<number, boolean>()
  let [isCells, style] = [false, 0]
  await parseAll(parts.read('xl/styles.xml', SMALL), {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (name === 'numFmt') custom.set(Number(numFmtId), showsDate(formatCode))
      if (name === 'cellXfs') isCells = true
      if (name !== 'xf' || !isCells) return
      if (custom.get(Number(numFmtId)) ?? isDateFormat(Number(numFmtId))) styles.add(style)
      style++
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

/** Reads what the sheets of a workbook refer to. @throws FileProblem when it is damaged or too large to be held */
export async function readWorkbook(parts: Parts): Promise<Workbook> {
  const { sheets, is1904 } = await sheetsOf(parts)
  return { sheets, is1904, dateStyles: await dateStylesOf(parts), texts: await textsOf(parts) }
}
