import type * as z from 'zod'
import { desk } from '@/app/session/desk'
import { Badge } from '@/app/ui/badge'
import { Card } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { mayRun } from '@/lib/operations/access'
import { execute } from '@/lib/operations/execute'
import { getLead, separateLead, updateCustomerFromLead } from '@/lib/operations/lead-person'
import { SeparateLead, UpdateCustomer } from './buttons.client'

type Lead = NonNullable<z.output<typeof getLead.output>['lead']>

const FIELDS = [
  ['name', 'Name'],
  ['phone', 'Phone'],
  ['email', 'Email'],
  ['address', 'Address'],
] as const

type Part = { lead: Lead; contractorId: string; mayChange: boolean; at: Desk }

/** One field that the lead was sent with, and what the customer has where that differs. */
function Line({
  lead,
  at,
  field,
  label,
  contractorId,
  mayChange,
}: Part & { field: (typeof FIELDS)[number][0]; label: string }) {
  const differs = lead.differs.includes(field)
  const shown = (text: string) => (field === 'phone' ? phoneText(cleanText(text), at.country) : cleanText(text))
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0 grow basis-72">
        <p className="flex items-center gap-2 text-sm text-quiet">
          {label}
          {differs && <Badge tone="warn">differs from the customer’s</Badge>}
        </p>
        <p className="wrap-anywhere">{shown(lead[field] ?? '')}</p>
        {differs && (
          <p className="text-sm text-quiet wrap-anywhere">The customer has {shown(lead.customer[field] ?? 'none')}.</p>
        )}
      </div>
      {differs && mayChange && <UpdateCustomer {...{ contractorId, projectId: lead.projectId, field }} />}
    </li>
  )
}

/** The customer that a lead was matched to, with a way out where that may be another person. */
function Match({ lead, contractorId, mayChange }: Part) {
  const { matchedBy, customer, projectId } = lead
  if (matchedBy === 'new' || matchedBy === 'separated') return null
  const link = <a href={`/customers/${customer.id}`}>{cleanText(customer.name)}</a>
  const separate = mayChange && <SeparateLead {...{ contractorId, projectId }} />
  if (matchedBy === 'possible' && lead.differs.includes('name'))
    return (
      <Notice tone="warn" title="This may be another person.">
        <p>Nothing but the phone number was that of {link} when the lead came in.</p>
        {separate}
      </Notice>
    )
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-4">
      <p>Customer: {link}</p>
      {lead.differs.length > 0 && separate}
    </div>
  )
}

/** Whom the lead of a project named and what it said, as sent; nothing for a project that no lead made. */
export async function LeadPerson({ actor, projectId }: { actor: PersonActor; projectId: string | null }) {
  if (projectId === null || !mayRun(getLead, actor)) return null
  const { lead } = await execute(getLead, { actor, now: new Date() }, { projectId })
  if (!lead) return null
  const part = {
    lead,
    at: await desk(),
    contractorId: actor.contractorId,
    mayChange: mayRun(separateLead, actor) && mayRun(updateCustomerFromLead, actor),
  }
  return (
    <Card title="Who wrote" text="As the lead was sent.">
      <Match {...part} />
      <ul>
        {FIELDS.filter(([field]) => lead[field]).map(([field, label]) => (
          <Line key={field} {...part} field={field} label={label} />
        ))}
      </ul>
      {lead.message && <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{cleanText(lead.message)}</p>}
    </Card>
  )
}
