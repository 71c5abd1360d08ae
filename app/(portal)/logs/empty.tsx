import { LinkButton } from '@/app/ui/button'
import { EmptyState } from '@/app/ui/empty-state'
import { baseUrls, env } from '@/lib/core/env'
import { KEY_VARIABLE } from '@/lib/portal/curl'

/** Shown when there are no requests yet: how to send the first. `keys` is where keys are created, for roles that may. */
export function NothingYet({ title = 'No requests yet', keys }: { title?: string; keys: string | undefined }) {
  const { api, apiPrefix } = baseUrls(env())
  return (
    <EmptyState
      title={title}
      text={`Each request with a key of this contractor shows here within a second or two. Make the first with this command; ${KEY_VARIABLE} holds your key.`}
      action={
        <>
          {keys && (
            <LinkButton look="main" href={keys}>
              Issue a key
            </LinkButton>
          )}
          <LinkButton href="/developers/guides/quick-start">Quick start</LinkButton>
        </>
      }
      curl={`curl "${api}${apiPrefix}/customers?limit=5" \\\n  -H "x-api-key: $${KEY_VARIABLE}"`}
    />
  )
}

/** Shown when nothing matches. `next` continues the search when only the newest rows were checked. */
export function NothingMatches({ next }: { next: string | undefined }) {
  return (
    <EmptyState
      title={next ? 'No match in the newest rows' : 'No request matches'}
      text={
        next
          ? 'The newest 5,000 candidate rows were searched. Older ones may match: continue, or filter by key, operation or time, which is fast however long the log is.'
          : 'Remove a filter, or widen the time range. Requests past the retention period are deleted.'
      }
      action={
        <>
          {next && (
            <LinkButton look="main" href={next}>
              Look further back
            </LinkButton>
          )}
          <LinkButton href="/logs">Clear the filters</LinkButton>
        </>
      }
    />
  )
}
