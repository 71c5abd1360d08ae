import type { SourceFile } from './mapping'

/** Contacts of HubSpot. */
export const hubSpot: SourceFile[] = [
  {
    source: 'HubSpot',
    file: 'Contacts',
    sample: 'hubspot-contacts.csv',
    header: ['Record ID', 'First Name', 'Last Name', 'Email', 'Phone Number'],
    fills: {
      customers: {
        reference: 'Record ID',
        name: { join: ['First Name', 'Last Name'] },
        email: 'Email',
        phone: { first: ['Phone Number', 'Mobile Phone Number'] },
        address: 'Street Address',
        city: 'City',
        state: { first: ['State/Region', 'State'] },
        zip: 'Postal Code',
        createdAt: 'Create Date',
      },
    },
  },
]
