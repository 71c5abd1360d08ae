import { Badge, statusTone } from '@/app/ui/badge'
import { CodeBlock } from '@/app/ui/code-block'
import { Facts } from '@/app/ui/facts'
import { cleanText } from '@/lib/core/clean'
import { type Mapping, MappingTable } from '../mapping'

/** The result of the dry run. */
export type Trial = Mapping & {
  source: string
  lead: Record<string, string> | null
  customer: { id: string; name: string } | null
  answer: { status: number; body: Record<string, unknown> }
}

/** Returns a title for the dry run's outcome. */
function outcomeOf({ answer: { status, body } }: Trial): string {
  if (status >= 400) return 'would be refused'
  if (body.duplicate === true) return 'duplicate: nothing would be created'
  if (body.test === true || body.ignored === true) return 'accepted, and nothing would be created'
  return 'a project would be created'
}

/** Shows a dry run: the answer first, then how the body was read. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { source, lead, customer, answer } = trial
  return (
    <div className="rounded-lg border border-line bg-raised p-5">
      <h2 className="mb-3">What would happen</h2>
      <Facts
        facts={[
          ['Answer', <Badge key="answer" tone={statusTone(answer.status)}>{`${answer.status}`}</Badge>],
          ['Outcome', outcomeOf(trial)],
          ['Sender', source],
          [
            'Customer',
            customer ? (
              <a key="customer" href={`/customers/${customer.id}`}>
                {cleanText(customer.name)}
              </a>
            ) : (
              'none known by this email or phone'
            ),
          ],
        ]}
      />
      <CodeBlock label="Answer" language="json" code={cleanText(JSON.stringify(answer.body, null, 2))} />
      <h3 className="mt-5 mb-2">How it was read</h3>
      <MappingTable mapping={trial} values={lead} />
    </div>
  )
}
