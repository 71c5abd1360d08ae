import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import { RESOURCES } from '@/lib/resources/registry'
import { type SampleRow, sampleFile } from './sample-file'

/** The records of a contractor that loads write, without the times at which they were written. */
const BOOKS = [...RESOURCES.map(({ source }) => source.table), 'material_prices', 'project_materials']

/** Returns a contractor's books as they can be compared: everything but when it was written here. */
export async function booksOf(db: Database, contractorId: string): Promise<Record<string, unknown[]>> {
  const books: Record<string, unknown[]> = {}
  for (const table of BOOKS)
    books[table] = (
      await rows<{ row: unknown }>(
        db.orm,
        sql`select to_jsonb(t) - array['updated_at', 'stated_at'] as row from ${sql.identifier(table)} t where contractor_id = ${contractorId} order by id`,
      )
    ).map(({ row }) => row)
  return books
}

/** The files of a month of the resources that have no rows of their own in it. */
const others = (rows: SampleRow[]) =>
  Object.fromEntries(RESOURCES.map((resource) => [resource.csv.file, sampleFile(resource, rows)]))

/** Folders of a contractor's month: what was loaded, and what a later month changes of it in every way there is. */
export const FIRST_MONTH = {
  ...others([{ reference: 'R1', customer: 'C1', project: 'P1', amount: '10' }]),
  'customers.csv': 'Customer ID,Name,Email\nC1,Ana,ana@example.com\nC2,Ben,\nC3,Cy,\n',
  'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,100\nP2,C2,Deck,200\nP3,C2,Shed,5\n',
  'invoices.csv':
    'Invoice Number,Project ID,Amount,Date,Due Date,Status\nI1,P1,100.00,2026-01-05,,\nI2,P2,50.10,2026-01-06,,\nI3,P2,7,2026-02-01,,\nI4,P1,9,2026-02-01,,\n',
  'payments.csv':
    'Payment ID,Invoice Number,Project ID,Amount,Date,Type\nT1,I1,P1,40,2026-01-09,\nT2,I2,P2,50.10,2026-01-10,\nT3,I3,P2,3,2026-02-10,\nT4,,P2,2,2026-02-10,refund\n',
  'estimates.csv': 'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE1,C1,P1,10,2026-01-01,sent\n',
  'materials.csv': 'Item,Name,Unit,Unit Cost,Date\nnail,Nails,box,4.50,2026-01-01\n',
  'project-materials.csv': 'Project ID,Item,Quantity\nP1,nail,3\n',
}
export const SECOND_MONTH = {
  ...others([
    { reference: 'R1', customer: 'C3', project: 'P1', amount: '12.50' },
    { reference: 'R2', customer: 'C4', project: 'P4', amount: '5' },
  ]),
  'customers.csv': 'Customer ID,Name,Email\nC1,Ana Belle,ana@example.com\nC2,Ben,\nC3,Cy,\nC4,Di,\nC5,,x\n',
  'projects.csv':
    'Project ID,Customer ID,Name,Total Amount\nP1,C3,Roof,150\nP2,C2,Deck,200\nP4,C4,Barn,10\nP5,C9,Lost,1\nP6,C1,No,many\n',
  'invoices.csv':
    'Invoice Number,Project ID,Amount,Date,Due Date,Status\nI1,P1,110.00,2026-01-05,,\nI2,P2,50.10,2026-01-06,,\nI3,P2,7,2026-02-01,,void\nI5,P4,20,2026-03-01,,\nI6,P5,1,2026-03-01,,\nI5,P1,3,2026-03-01,,\n',
  'payments.csv':
    'Payment ID,Invoice Number,Project ID,Amount,Date,Type\nT1,I1,P1,45,2026-01-09,\nT2,I2,P2,50.10,2026-02-10,\nT3,I3,P2,3,2026-02-10,\nT5,I5,,20,2026-03-09,\nT6,I5,P1,20,2026-03-09,\nT7,I9,,1,2026-03-09,\n',
  'estimates.csv':
    'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE1,C3,P1,10,2026-01-01,accepted\nE2,C4,P4,5,2026-03-01,\n',
  'materials.csv': 'Item,Name,Unit,Unit Cost,Date\nnail,Nails,box,4.75,2026-01-01\n',
  'project-materials.csv': 'Project ID,Item,Quantity\nP1,nail,4\nP4,nail,1\n',
}
