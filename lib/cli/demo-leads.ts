import type { DemoLead } from '@/db/demo/story/lead-forms'
import { DEMO_LEADS } from '@/db/demo/story/leads'
import { type KeyActor, operatorFor } from '@/lib/auth/actor'
import { csvLine } from '@/lib/core/csv-line'
import { ServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { dayOf } from '@/lib/core/time'
import { createLead } from '@/lib/operations/create-lead'
import { advanceDemoLead } from '@/lib/operations/demonstration/demonstration'
import { execute } from '@/lib/operations/execute'
import { receiveLead } from '@/lib/operations/receive-lead'

const DAY_MS = 86_400_000
const FORM = 'application/x-www-form-urlencoded'

/** A lead that was taken, and its project. */
export type SentLead = DemoLead & { projectId: string }

/** Sends a lead as its sender does, at its moment. Undefined when it is refused: then it is kept with the reason. */
async function send(actor: KeyActor, lead: DemoLead, now: Date): Promise<SentLead | undefined> {
  const { source, daysAgo } = lead
  const body = lead.body instanceof URLSearchParams ? lead.body.toString() : JSON.stringify(lead.body)
  const contentType = lead.body instanceof URLSearchParams ? FORM : 'application/json'
  const at = new Date(now.getTime() - daysAgo * DAY_MS)
  const path = `/api/webhooks/leads/${source}`
  const raw = Buffer.from(body)
  const sent = { body, raw, bytes: raw.length, contentType, path, header: () => null }
  const received = { requestId: newRequestId(), at, ...sent }
  const caller = { actor, now: at, received }
  try {
    const receipt =
      source === 'inbound'
        ? await execute(createLead, caller, () => ({ values: lead.body, whole: 'body' }), 'text')
        : await execute(receiveLead, caller, () => ({ values: { source }, whole: 'input' }), 'text')
    const { projectId } = Object(JSON.parse(receipt.text))
    return { ...lead, projectId: String(projectId) }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'bad_request') return undefined
    throw error
  }
}

/** A CSV file of one row, as the loader reads it. */
const row = (header: string, cells: (string | number)[]) => [`${header}\n`, csvLine(cells)]

/** Returns what the office exports of a lead that it priced: its estimate, and of work that has begun a paid deposit. */
function booksOf({ became }: DemoLead, reference: string, customer: string, now: Date): Record<string, string[]> {
  if (!became || became.total === 0) return {}
  const day = (days: number) => dayOf(new Date(now.getTime() + days * DAY_MS))
  const { status, total, starts = 0 } = became
  const amount = total.toFixed(2)
  const isSold = status !== 'estimate'
  const quoted = Math.min(starts - 10, -1)
  const estimates = row('Estimate Number,Customer ID,Project ID,Amount,Date,Valid Until,Status', [
    `E-${reference}`,
    customer,
    reference,
    amount,
    day(isSold ? quoted : -2),
    day(isSold ? quoted + 30 : 28),
    isSold ? 'accepted' : 'sent',
  ])
  if (!isSold || starts > 0) return { estimates }
  const share = (status === 'completed' ? total : total / 2).toFixed(2)
  const invoices = row('Invoice Number,Project ID,Amount,Date,Due Date,Paid Date', [
    `${reference}-1`,
    reference,
    share,
    day(starts),
    day(starts + 15),
    day(starts + 1),
  ])
  const payments = row('Payment ID,Project ID,Invoice Number,Amount,Date,Method,Reference', [
    `PM-${reference}`,
    reference,
    `${reference}-1`,
    share,
    day(starts + 1),
    'check',
    'CHK 2001',
  ])
  return { estimates, invoices, payments }
}

/** Merges the rows of files of the same header. */
function merged(all: Record<string, string[]>[]): Record<string, string> {
  const files = new Map<string, string[]>()
  for (const books of all)
    for (const [name, [header = '', ...rows]] of Object.entries(books))
      files.set(name, [...(files.get(name) ?? [header]), ...rows])
  return Object.fromEntries([...files].map(([name, lines]) => [`${name}.csv`, lines.join('')]))
}

/**
 * Sends a demonstration contractor's leads through the webhook's own operations and moves those on that became jobs.
 * @returns the leads that were taken, and the files with what the office exported of them since
 */
export async function sendLeads({
  slug,
  actor,
  now,
}: {
  slug: string
  actor: KeyActor
  now: Date
}): Promise<{ sent: SentLead[]; files: Record<string, string> }> {
  const operator = operatorFor(actor.contractorId)
  const sent: SentLead[] = []
  const books: Record<string, string[]>[] = []
  for (const [i, lead] of (DEMO_LEADS[slug] ?? []).entries()) {
    const taken = await send(actor, lead, now)
    if (!taken) continue
    sent.push(taken)
    const { became, projectId } = taken
    if (!became) continue
    const day = (days: number | undefined) =>
      days === undefined ? null : dayOf(new Date(now.getTime() + days * DAY_MS))
    const reference = `L-${i + 1}`
    const { customerReference } = await execute(
      advanceDemoLead,
      { actor: operator, now },
      {
        projectId,
        reference,
        status: became.status,
        totalAmount: became.total.toFixed(2),
        startDate: day(became.starts),
        endDate: day(became.ends),
      },
    )
    books.push(booksOf(lead, reference, customerReference, now))
  }
  return { sent, files: merged(books) }
}
