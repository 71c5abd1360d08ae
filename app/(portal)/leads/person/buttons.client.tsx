'use client'

import { RowAction } from '@/app/ui/row-action.client'
import { separateLeadAction, updateCustomerAction } from './actions'

type Ids = { contractorId: string; projectId: string }

/** The button that takes a field of a lead over to its customer. */
export const UpdateCustomer = ({ contractorId, projectId, field }: Ids & { field: string }) => (
  <RowAction
    action={updateCustomerAction}
    submit="Update customer"
    look="plain"
    values={{ contractorId, projectId, field }}
    what={`with the lead’s ${field}`}
  />
)

/** The button that makes a customer of a lead's person. */
export const SeparateLead = ({ contractorId, projectId }: Ids) => (
  <RowAction
    action={separateLeadAction}
    submit="Make a separate customer"
    look="plain"
    values={{ contractorId, projectId }}
    what="of the person of this lead"
  />
)
