import { absolute } from '@/lib/portal/moments'

type Detail = Record<string, string | number | boolean | null>

/** Names of details that do not explain themselves. */
const WORDS: Record<string, string> = {
  isWhole: 'complete',
  oldWorksUntil: 'old secret works until',
  byEmail: 'email',
  digest: 'how often',
}

const wordsOf = (name: string) => WORDS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Counts of nothing, and that a load was whole, as it nearly always is. */
const isNothing = (name: string, value: Detail[string]): value is null =>
  value === null || value === '' || value === 0 || (name === 'isWhole' && value === true)

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[a-z]{3}_\w{20,}$/

function textOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return MOMENT.test(String(value)) ? absolute(new Date(String(value)), false) : String(value)
}

/**
 * Returns the details of an audit entry as text: `role: admin`, `rows: 3, refused: 1, complete: no`. Ids are left out, because their records are named beside it, and so is
 * the name of the entry's subject.
 */
export const detailsOf = (detail: Detail, subjectName: string | undefined): string =>
  Object.entries(detail)
    .flatMap(([name, value]) =>
      isNothing(name, value) || ID.test(String(value)) || (name === 'name' && value === subjectName)
        ? []
        : [`${wordsOf(name)}: ${textOf(value)}`],
    )
    .join(', ')
