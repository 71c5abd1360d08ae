import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { Badge } from '@/app/ui/badge'
import { Card, PageHead } from '@/app/ui/card'
import { execute } from '@/lib/operations/execute'
import { listLeadSecrets } from '@/lib/operations/lead-secrets'
import { SourceSecret } from './secret.client'

export const metadata: Metadata = { title: 'Sender passwords' }

/** The way each sender authenticates, and where its secret is entered there. */
const HOW = {
  'google-ads': 'Google repeats the secret in each lead. Enter it as the key of the lead form’s webhook.',
  typeform: 'Typeform signs each answer. Enter the same secret in the settings of the webhook.',
  meta: 'Meta signs each notification with the app’s own secret, and repeats the verify token when the URL is set up.',
}

/** The secrets by which senders prove themselves, for administrators. */
export default async function SecretsPage() {
  const { actor, current } = await requireActor(listLeadSecrets)
  const { items } = await execute(listLeadSecrets, { actor, now: new Date() }, {})
  return (
    <>
      <PageHead
        title="Sender passwords"
        text={`Whoever has a key or a secret URL of ${current.name} can send leads. With a secret, only the sender can.`}
        under={[{ name: 'Leads', href: '/leads' }]}
      />
      <div className="grid max-w-2xl gap-4">
        {items.map(({ source, title, isEntered, isSet }) => (
          <Card
            key={source}
            title={title}
            text={HOW[source]}
            actions={<Badge tone={isSet ? 'good' : 'neutral'}>{isSet ? 'Set' : 'Not set'}</Badge>}
          >
            <SourceSecret
              contractorId={current.contractorId}
              source={source}
              title={title}
              isEntered={isEntered}
              isSet={isSet}
            />
          </Card>
        ))}
      </div>
    </>
  )
}
