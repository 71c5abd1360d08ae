import { ActionForm } from '@/app/ui/action-form.client'
import { Card } from '@/app/ui/card'
import type { PersonActor } from '@/lib/auth/actor'
import { cleanText } from '@/lib/core/clean'
import { mayRun } from '@/lib/operations/access'
import { findSimilarCustomers, joinCustomers } from '@/lib/operations/customers'
import { execute } from '@/lib/operations/execute'
import { joinAction, separateAction } from './actions'

/** Customers who may be the one that is shown, known to another program, and the buttons that join or separate them. */
export async function Similar({ actor, customer }: { actor: PersonActor; customer: string }) {
  if (!mayRun(joinCustomers, actor)) return null
  const { items } = await execute(findSimilarCustomers, { actor, now: new Date() }, { customer })
  if (items.length === 0) return null
  const { contractorId } = actor
  return (
    <Card title="The same person?" className="mb-6">
      <p className="max-w-prose">
        These customers have the same name, email or phone. Join one that is the same person: its projects become this
        customer’s, and so does what later files bring for it. Separated again, it gets back the projects that it had;
        what came since stays.
      </p>
      <ul className="mt-3 grid gap-3">
        {items.map(({ id, name, email, phone, address, joined }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3"
          >
            <span className="min-w-0 wrap-anywhere">
              {joined ? cleanText(name) : <a href={`/customers/${id}`}>{cleanText(name)}</a>}
              <span className="block text-sm text-quiet">
                {[joined ? 'joined' : '', email, phone, address]
                  .filter(Boolean)
                  .map((text) => cleanText(text ?? ''))
                  .join(' · ')}
              </span>
            </span>
            {joined ? (
              <ActionForm
                action={separateAction}
                submit="Separate"
                look="plain"
                size="small"
                values={{ contractorId, other: id }}
              />
            ) : (
              <ActionForm
                action={joinAction}
                submit="Join"
                look="plain"
                size="small"
                values={{ contractorId, customer, other: id }}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
