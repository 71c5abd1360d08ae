import { Notice } from '@/app/ui/notice'
import { cleanText } from '@/lib/core/clean'
import type { FieldFault } from '@/lib/core/errors'
import type { Outcome } from '@/lib/leads/deliveries'
import { sentence } from './[id]/fixes'
import { adviceFor } from './outcomes'

type Delivery = { outcome: Outcome; status: number; reason: string | null; faults: FieldFault[] | null }

/** The reasons why a delivery created no project, and how to fix it; empty when nothing is wrong. */
export function Reasons({ delivery }: { delivery: Delivery }) {
  const { outcome, reason, faults } = delivery
  const advice = adviceFor(delivery)
  if (advice.length === 0) return null
  return (
    <Notice
      tone={outcome === 'failed' ? 'danger' : 'warn'}
      title={outcome === 'failed' ? 'It could not be stored.' : 'It needs fixing.'}
    >
      {faults && faults.length > 0 ? (
        <ul className="list-disc ps-5">
          {faults.map(({ field, message }) => (
            <li key={`${field}: ${message}`}>{sentence(cleanText(field), cleanText(message))}</li>
          ))}
        </ul>
      ) : (
        <p>{cleanText(reason ?? 'No reason was recorded.')}</p>
      )}
      <h2 className="text-base">What to do</h2>
      <ol className="list-decimal ps-5">
        {advice.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Notice>
  )
}
