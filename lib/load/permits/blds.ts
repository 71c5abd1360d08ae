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
  /** Names that cities give the column in files of the specification, read where the specification's own is missing. */
  aliases?: string[]
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

/** Adds the names that cities write for a column, compared like its own: case, blanks and signs do not count. */
const also = (field: BldsField, ...aliases: string[]): BldsField => ({ ...field, aliases })

/** The field that identifies a permit. */
export const PERMIT_NUM: BldsField = {
  ...also(
    of('PermitNum', 'permit_num', 'text', reference),
    'PermitNumber',
    'PermitNo',
    'PermitID',
    'RecordNumber',
    'RecordID',
    'CaseNumber',
    'ApplicationNumber',
  ),
  field: 'reference',
}

/**
 * The stored fields, by the specification's names: github.com/open-data-standards/permitdata.org, "Core Permits Dataset
 * Requirements".
 */
export const BLDS: [BldsField, ...BldsField[]] = [
  PERMIT_NUM,
  also(
    words('Description', 'description', LONGEST_CELL),
    'PermitDescription',
    'WorkDescription',
    'ProjectDescription',
    'DescriptionOfWork',
    'Purpose',
  ),
  also(
    day('AppliedDate', 'applied_date'),
    'ApplicationDate',
    'DateApplied',
    'ApplyDate',
    'AppDate',
    'FiledDate',
    'DateEntered',
    'SubmittedDate',
    'ApplicationStartDate',
  ),
  also(day('IssuedDate', 'issued_date'), 'IssueDate', 'DateIssued', 'PermitIssueDate', 'IssuanceDate'),
  also(
    day('CompletedDate', 'completed_date'),
    'CompletionDate',
    'FinalDate',
    'FinaledDate',
    'DateFinaled',
    'FinalizedDate',
    'COIssueDate',
  ),
  also(words('StatusCurrent', 'status_current'), 'Status', 'PermitStatus', 'CurrentStatus', 'RecordStatus'),
  words('StatusCurrentMapped', 'status_current_mapped'),
  also(
    words('OriginalAddress1', 'original_address1'),
    'OriginalAddress',
    'Address',
    'SiteAddress',
    'PropertyAddress',
    'StreetAddress',
    'FullAddress',
    'ProjectAddress',
    'WorkLocation',
  ),
  also(words('OriginalCity', 'original_city', 100), 'City', 'SiteCity', 'PropertyCity'),
  also(words('OriginalState', 'original_state', 50), 'State', 'SiteState'),
  also(words('OriginalZip', 'original_zip', 20), 'Zip', 'ZipCode', 'PostalCode', 'SiteZip'),
  also(words('PermitClass', 'permit_class'), 'Class', 'PropertyType', 'OccupancyType'),
  words('PermitClassMapped', 'permit_class_mapped'),
  also(words('PermitType', 'permit_type'), 'Type', 'PermitCategory', 'RecordType'),
  words('PermitTypeMapped', 'permit_type_mapped'),
  also(words('PermitTypeDesc', 'permit_type_desc'), 'PermitTypeDescription', 'TypeDescription'),
  also(words('WorkClass', 'work_class'), 'WorkType', 'TypeOfWork', 'WorkClassGroup'),
  words('WorkClassMapped', 'work_class_mapped'),
  also(
    of('EstProjectCost', 'est_project_cost', 'numeric(14,2)', amount),
    'EstimatedCost',
    'ProjectCost',
    'ConstructionCost',
    'ConstCost',
    'Valuation',
    'JobValue',
    'TotalValuation',
    'ReportedCost',
    'EstimatedValue',
  ),
  also(of('Fee', 'fee', 'numeric(14,2)', amount), 'TotalFees', 'PermitFee', 'Fees'),
  also(
    words('ContractorCompanyName', 'contractor_company_name'),
    'ContractorName',
    'Contractor',
    'ContractorCompany',
    'ContractorBusinessName',
  ),
  also(of('Latitude', 'latitude', 'float8', degrees(90)), 'Lat'),
  also(of('Longitude', 'longitude', 'float8', degrees(180)), 'Lon', 'Long', 'Lng'),
  also(of('Link', 'link', 'text', link), 'URL', 'PermitLink'),
]

export const bldsField = (name: string): BldsField | undefined => BLDS.find((field) => field.name === name)
