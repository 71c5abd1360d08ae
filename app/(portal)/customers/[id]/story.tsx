import { sentence, storedDay } from '@/app/ui/data-column'
import { inOrder, type TimelineEvent } from '@/app/ui/timeline'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import { type Item, methodOf, nameOf, pageOf, textOf } from '../../records/columns'
import type { Beside } from '../../records/parts'
import { moneyOf } from '../../records/parts'

/** Returns how somebody paid: the method and its reference, which often names the method itself. */
function paidHow(item: Item): string {
  const [how, reference] = [methodOf(item), textOf(item, 'reference') ? nameOf(item) : '']
  return reference.toLowerCase().startsWith(how.toLowerCase()) ? reference : `${how} ${reference}`.trim()
}

type Lead = { projectId: string; project: string; source: string; leadName: string; receivedAt: string }
type Entry = {
  id: string
  kind: 'note' | 'follow_up'
  projectId: string
  project: string
  text: string | null
  followUpOn: string | null
  authorName: string
  createdAt: string
}

/** What an account has: records by kind, leads, and what people wrote. */
export type Account = Record<'invoices' | 'payments' | 'projects' | 'estimates', Beside> & {
  leads: { items: Lead[] }
  entries: { items: Entry[] }
}

type Kind = {
  of: string
  title: (item: Item) => string
  day: string
  text?: (item: Item, names: Beside['names']) => string | undefined
}

const projectOf = ({ projectId }: Item, names: Beside['names']) => names[String(projectId)]

const KINDS: Record<'invoices' | 'payments' | 'projects' | 'estimates', Kind> = {
  invoices: { of: 'invoice', title: (item) => `Invoice ${nameOf(item)}`, day: 'date', text: projectOf },
  payments: {
    of: 'payment',
    title: () => 'Payment',
    day: 'date',
    text: paidHow,
  },
  projects: {
    of: 'project',
    title: (item) => `Project ${nameOf(item)}`,
    day: 'createdAt',
    text: ({ status }) => sentence(String(status)),
  },
  estimates: { of: 'estimate', title: (item) => `Estimate ${nameOf(item)}`, day: 'date', text: projectOf },
}

/** Returns the page, day and words of a record as an event. */
function recordEvent(
  { of, title, day: field, text }: Kind,
  item: Item,
  names: Beside['names'],
  at: Desk,
): TimelineEvent {
  const day = storedDay(textOf(item, field) ?? '', at)
  const below = text?.(item, names)
  const status = of === 'invoice' || of === 'estimate' ? sentence(String(item.status)) : undefined
  return {
    key: String(item.id),
    day,
    when: at.words.day(day),
    title: <a href={pageOf(of, String(item.id))}>{cleanText(title(item))}</a>,
    text: [below && cleanText(below), status].filter(Boolean).join(' · '),
    amount: moneyOf(item, 'amount', at),
    isAhead: day > at.today,
  }
}

/** Returns what happened with a customer, the latest first. */
export function storyOf(account: Account, at: Desk): TimelineEvent[] {
  const ofRecords = Object.entries(KINDS).flatMap(([name, kind]) => {
    const { items, names } = account[name as keyof typeof KINDS]
    return items.map((item) => recordEvent(kind, item, names, at))
  })
  const dated = (moment: string) => {
    const day = storedDay(moment, at)
    return { day, when: at.words.day(day) }
  }
  const ofLeads = account.leads.items.map(
    ({ projectId, project, source, leadName, receivedAt }): TimelineEvent => ({
      key: `lead ${projectId}`,
      ...dated(receivedAt),
      title: <a href={pageOf('project', projectId)}>Lead: {cleanText(project)}</a>,
      text: [source, leadName].map(cleanText).join(' · '),
    }),
  )
  const ofEntries = account.entries.items.map(
    ({ id, kind, projectId, project, text, followUpOn, authorName, createdAt }): TimelineEvent => ({
      key: id,
      ...dated(createdAt),
      title: kind === 'note' ? 'Note' : `Follow up on ${at.words.day(followUpOn ?? '')}`,
      text: (
        <>
          {text && <p className="max-w-prose whitespace-pre-wrap text-ink">{cleanText(text)}</p>}
          {cleanText(authorName)} · <a href={pageOf('project', projectId)}>{cleanText(project)}</a>
        </>
      ),
    }),
  )
  return inOrder([...ofRecords, ...ofLeads, ...ofEntries], true)
}
