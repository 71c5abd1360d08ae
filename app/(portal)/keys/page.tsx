import type { Metadata } from 'next'
import { links } from '@/app/links'
import { requireActor } from '@/app/session/actor'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { PRESETS } from '@/lib/auth/scopes'
import { baseUrls, env } from '@/lib/core/env'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { firstCall } from '@/lib/portal/first-call'
import { SCOPES_WITH_TEXTS } from '@/lib/resources/scope-texts'
import { CreateKey, type Rights } from './create.client'
import { KeyList } from './key-list'

export const metadata: Metadata = { title: 'Keys' }

const RIGHTS: Rights = {
  presets: Object.entries(PRESETS).map(([id, { title, text }]) => ({ id, title, text })),
  scopes: SCOPES_WITH_TEXTS,
}

/** The current contractor's keys, for its administrators. */
export default async function KeysPage() {
  // Checks the role before anything is sent, because a streamed part can no longer set status 403.
  const { actor, current } = await requireActor(listKeys)
  const urls = baseUrls(env())
  const addresses = { api: urls.api + urls.apiPrefix, leads: `${urls.api}/api/webhooks/leads/inbound`, mcp: urls.mcp }
  const looking = { contractorId: actor.contractorId, ownAddress: actor.address, addresses }
  const create = (label: string) => <CreateKey {...looking} rights={RIGHTS} label={label} />
  const none = (
    <EmptyState
      title="No keys yet"
      text="Every request to the API, the lead webhook and MCP carries a key. Create one for each integration, so that you can change and revoke each on its own. A first call looks like this:"
      action={create('Create the first key')}
      curl={firstCall(PRESETS.integration.scopes, 'integration', addresses)}
    />
  )
  return (
    <>
      <PageHead
        title="Keys"
        text={
          <>
            API keys of {current.name}. A secret is shown once, when the key is created; every change is in the{' '}
            <a href={`${links().portal}/audit`}>audit log</a>.
          </>
        }
        actions={create('Create key')}
      />
      <KeyList actor={actor} looking={looking} none={none} />
    </>
  )
}
