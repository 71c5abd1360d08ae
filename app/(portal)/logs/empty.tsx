import { LinkButton } from '@/app/ui/button'
import { EmptyState } from '@/app/ui/empty-state'
import { baseUrls, env } from '@/lib/core/env'
import { KEY_VARIABLE } from '@/lib/portal/curl'

/** A message for when there are no requests yet: how to send the first. `keys` is where keys are created, for roles that may. */
export function NothingYet({ title = 'No requests yet', keys }: { title?: string; keys: string | undefined }) {
  const { api, apiPrefix } = baseUrls(env())
  return (
    <EmptyState
      title={title}
      text={`Requests with this contractor’s keys appear here within a second or two. Send the first one with this command; ${KEY_VARIABLE} is your key.`}
      action={
        <>
          {keys && (
            <LinkButton look="main" href={keys}>
              Create a key
            </LinkButton>
          )}
          <LinkButton href="/developers/guides/quick-start">Quick start</LinkButton>
        </>
      }
      curl={`curl "${api}${apiPrefix}/customers?limit=5" \\\n  -H "x-api-key: $${KEY_VARIABLE}"`}
    />
  )
}

type Onward = { older: string | undefined; newer: string | undefined }

/** A message for when nothing matches. `older` and `newer` continue the search when only some rows were checked. */
export function NothingMatches({ older, newer }: Onward) {
  const onward = newer ?? older
  return (
    <EmptyState
      title={onward ? 'No match in the rows searched' : 'No request matches'}
      text={
        onward
          ? `The next 5,000 rows were searched. ${newer ? 'Newer' : 'Older'} ones may match: continue, or filter by key, operation or time, which is fast for a log of any length.`
          : 'Remove a filter, or widen the time range. Requests past the retention period are deleted.'
      }
      action={
        <>
          {onward && (
            <LinkButton look="main" href={onward}>
              {newer ? 'Search newer requests' : 'Search older requests'}
            </LinkButton>
          )}
          <LinkButton href="/logs">Clear the filters</LinkButton>
        </>
      }
    />
  )
}
