import { parseMoney } from '@/lib/core/money'
import { LONGEST_CELL, type Read, reference, text } from '../columns'

/** A field of the Building & Land Development Specification, where it is stored, and how its cells are read. */
export type BldsField = {
  name: string
  /** The name of its value in a row. */
  field: string
  column: string
  type: 'text' | 'date' | 'numeric(14,2)' | 'float8'
  read(cell: string): Read
}

/** Reads costs and fees: two decimals, not negative; trailing zeros are accepted. */
function amount(cell: string): Read {
  const value = parseMoney(cell.replace(/(\.\d\d)0+$/, '$1'))
  return value === undefined || value.startsWith('-')
    ? { reason: 'is not an amount of zero or more such as 12500.00' }
    : { value }
}

/** Reads degrees. A 0 counts as blank: systems write it for an unknown place, and no permit in the United States is there. */
const degrees =
  (most: number) =>
  (cell: string): Read => {
    const value = /^[+-]?\d{1,3}(?:\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN
    if (value === 0) return { value: null }
    return Math.abs(value) <= most ? { value: String(value) } : { reason: `is not degrees from -${most} to ${most}` }
  }

const link = (cell: string): Read =>
  /^https?:\/\/\S{1,990}$/.test(cell) ? { value: cell } : { reason: 'is not an http or https URL' }

const of = (name: string, column: string, type: BldsField['type'], read: BldsField['read']): BldsField => ({
  name,
  field: name.charAt(0).toLowerCase() + name.slice(1),
  column,
  type,
  read,
})
const words = (name: string, column: string, most = 300) => of(name, column, 'text', text(most))
/** A date, read in the format that its mapping names. */
const day = (name: string, column: string) => of(name, column, 'date', () => ({ reason: 'has no date format' }))

/** The field that identifies a permit. */
export const PERMIT_NUM: BldsField = { ...of('PermitNum', 'permit_num', 'text', reference), field: 'reference' }

/**
 * The stored fields, by the specification's names: github.com/open-data-standards/permitdata.org, "Core Permits Dataset
 * Requirements".
 */
export const BLDS: [BldsField, ...BldsField[]] = [
  PERMIT_NUM,
  words('Description', 'description', LONGEST_CELL),
  day('AppliedDate', 'applied_date'),
  day('IssuedDate', 'issued_date'),
  day('CompletedDate', 'completed_date'),
  words('StatusCurrent', 'status_current'),
  words('StatusCurrentMapped', 'status_current_mapped'),
  words('OriginalAddress1', 'original_address1'),
  words('OriginalCity', 'original_city', 100),
  words('OriginalState', 'original_state', 50),
  words('OriginalZip', 'original_zip', 20),
  words('PermitClass', 'permit_class'),
  words('PermitClassMapped', 'permit_class_mapped'),
  words('PermitType', 'permit_type'),
  words('PermitTypeMapped', 'permit_type_mapped'),
  words('PermitTypeDesc', 'permit_type_desc'),
  words('WorkClass', 'work_class'),
  words('WorkClassMapped', 'work_class_mapped'),
  of('EstProjectCost', 'est_project_cost', 'numeric(14,2)', amount),
  of('Fee', 'fee', 'numeric(14,2)', amount),
  words('ContractorCompanyName', 'contractor_company_name'),
  of('Latitude', 'latitude', 'float8', degrees(90)),
  of('Longitude', 'longitude', 'float8', degrees(180)),
  of('Link', 'link', 'text', link),
]

export const bldsField = (name: string): BldsField | undefined => BLDS.find((field) => field.name === name)
