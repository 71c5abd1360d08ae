import type { Metadata } from 'next'
import { requireActor } from '@/app/session/actor'
import { Time } from '@/app/session/time'
import { Card, PageHead } from '@/app/ui/card'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { execute } from '@/lib/operations/execute'
import { getSso } from '@/lib/operations/sso/sso'
import { RemoveForm, RequireForm, SsoForm } from './forms.client'

export const metadata: Metadata = { title: 'Single sign-on' }

const JOINING = ['viewer', 'developer'] as const

function Address({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="font-semibold">{name}</dt>
      <dd className="font-mono text-sm wrap-anywhere">{value}</dd>
    </div>
  )
}

/** A contractor's own identity provider. */
export default async function SingleSignOn() {
  const { actor, current } = await requireActor(getSso)
  const { contractorId } = actor
  const { provider, breakGlass, signInUrl, redirectUri } = await execute(getSso, { actor, now: new Date() }, {})
  const roles = JOINING.map((role) => ({ role, title: ROLE_TEXTS[role].title }))
  return (
    <>
      <PageHead
        title="Single sign-on"
        text={`The team of ${current.name} can sign in with your company’s OpenID Connect provider: Okta, Entra ID, Google, Auth0, Keycloak and others.`}
        under={[{ name: 'Team', href: '/team' }]}
      />
      <div className="grid gap-5 lg:grid-cols-2">
        <Card title="Provider" text="Register an application for the web there, then enter what it shows.">
          <SsoForm contractorId={contractorId} provider={provider} roles={roles} />
        </Card>
        <div className="grid content-start gap-5">
          <Card title="Addresses">
            <dl className="grid gap-3">
              <Address name="Redirect URI, for the provider" value={redirectUri} />
              <Address name="Sign-in address, for your team" value={signInUrl} />
            </dl>
          </Card>
          {provider && (
            <Card title={provider.required ? 'Required' : 'Optional'}>
              <div className="grid gap-4">
                <p>
                  {provider.provenAt ? (
                    <>
                      Last used <Time at={provider.provenAt} />.{' '}
                    </>
                  ) : (
                    'Nobody has signed in with it yet. Sign in once before you require it. '
                  )}
                  {breakGlass &&
                    `When required, passwords and passkeys no longer open ${current.name}, except those of ${breakGlass.name} (${breakGlass.email}), the administrator who joined first, in case the provider fails.`}
                </p>
                {(provider.required || provider.provenAt) && (
                  <RequireForm contractorId={contractorId} required={provider.required} />
                )}
                <RemoveForm contractorId={contractorId} />
              </div>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}
