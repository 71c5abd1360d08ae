import type { Metadata } from 'next'
import { parametersOf, type SearchParams } from '@/app/query'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { ServiceError } from '@/lib/core/errors'
import { getLeadDelivery, SOURCE_NAMES } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { tryLead } from '@/lib/operations/try-lead'
import { EXAMPLE_LEAD } from '../curl'
import { Lab } from './lab.client'

export const metadata: Metadata = { title: 'Lead lab' }

/** Returns what the lab starts with: the delivery opened in it, or nothing. */
async function startOf(actor: PersonActor, id: string | undefined) {
  const nothing = { body: '', source: '', contentType: 'application/json' }
  if (id === undefined) return nothing
  try {
    const { body, source, contentType } = await execute(getLeadDelivery, { actor, now: new Date() }, { id })
    const isForm = contentType?.startsWith('application/x-www-form-urlencoded')
    return {
      body: cleanText(body),
      source: SOURCE_NAMES.includes(source) ? source : '',
      contentType: isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    }
  } catch (error) {
    if (error instanceof ServiceError) return nothing
    throw error
  }
}

export default async function LabPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor, current } = await requireActor(tryLead)
  const { delivery } = await parametersOf(searchParams, ['delivery'])
  return (
    <>
      <PageHead
        title="Lead lab"
        text="Paste a body to see how it would be read and what the sender would get back. Nothing is created or stored."
        under={[{ name: 'Leads', href: '/leads' }]}
      />
      <Lab
        contractorId={current.contractorId}
        sources={SOURCE_NAMES}
        start={await startOf(actor, delivery)}
        example={JSON.stringify(EXAMPLE_LEAD, null, 2)}
      />
    </>
  )
}
