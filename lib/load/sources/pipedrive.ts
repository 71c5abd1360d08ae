import type { SourceFile } from './mapping'

/** The people of Pipedrive. */
export const pipedrive: SourceFile[] = [
  {
    source: 'Pipedrive',
    file: 'People',
    sample: 'pipedrive-people.csv',
    header: ['Person - ID', 'Person - Name', 'Person - Email', 'Person - Phone'],
    fills: {
      customers: {
        reference: 'Person - ID',
        name: { first: ['Person - Name', 'Organization - Name'] },
        email: { first: ['Person - Email', 'Person - Email - Work', 'Person - Email - Home'] },
        phone: { first: ['Person - Phone', 'Person - Phone - Work', 'Person - Phone - Mobile'] },
      },
    },
  },
]
