import { Button } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import { Field } from '@/app/ui/field'
import { Input } from '@/app/ui/input'
import type { PersonActor } from '@/lib/auth/actor'
import { execute } from '@/lib/operations/execute'
import { listRequests } from '@/lib/operations/requests/log'

type Found = { id: string; at: string; endpoint: string; keyId: string | null; errorCode: string | null }

/** Returns the best request to compare with: the previous one of the same key and operation, or for a failed one the last success. */
export async function comparable(actor: PersonActor, found: Found): Promise<string | undefined> {
  const { at, endpoint, keyId, errorCode } = found
  const alike = { to: at, endpoint, limit: 20, ...(keyId && { keyId }), ...(errorCode && { statusClass: 2 }) }
  const { items } = await execute(listRequests, { actor, now: new Date() }, alike)
  return items.find((item) => errorCode === null || item.errorCode === null)?.id
}

/** Links to compare a request: with the most useful one, or with any other id. */
export function CompareWith({ id, other, wasError }: { id: string; other: string | undefined; wasError: boolean }) {
  return (
    <Card title="Compare">
      {other && (
        <p className="mb-3">
          <a href={`/logs/compare?a=${other}&b=${id}`}>
            {wasError
              ? 'With this key’s last successful request to this operation'
              : 'With this key’s previous request to this operation'}
          </a>
        </p>
      )}
      <form action="/logs/compare" className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="b" value={id} />
        <Field label="Another request id" className="grow sm:max-w-md">
          {(tied) => <Input name="a" required placeholder="req_…" autoComplete="off" spellCheck={false} {...tied} />}
        </Field>
        <Button type="submit">Compare</Button>
      </form>
    </Card>
  )
}
