import type { Metadata } from 'next'
import { links } from '@/app/links'
import { requireActor } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { PageHead } from '@/app/ui/card'
import { EmptyState } from '@/app/ui/empty-state'
import { PRESETS } from '@/lib/auth/scopes'
import { listKeys } from '@/lib/operations/keys/list-keys'
import { firstCall } from '@/lib/portal/first-call'
import { CreateKey } from './create.client'
import { KeyList } from './key-list'
import { RIGHTS, readerContext } from './looking'

export const metadata: Metadata = { title: 'Keys' }

/** The current contractor's keys, for its administrators. */
export default async function KeysPage() {
  // Checks the role before anything is sent, because a streamed part can no longer set status 403.
  const { actor, current } = await requireActor(listKeys)
  const looking = readerContext(actor)
  const create = (label: string) => <CreateKey {...looking} rights={RIGHTS} label={label} />
  const none = (
    <EmptyState
      title="No keys yet"
      text="Every request to the API, the lead webhook and MCP needs a key. Create one per integration, so that you can edit and revoke each separately. A first call looks like this:"
      action={create('Create the first key')}
      curl={firstCall(PRESETS.integration.scopes, 'integration', looking.addresses)}
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
      <KeyList actor={actor} desk={await desk()} none={none} />
    </>
  )
}
