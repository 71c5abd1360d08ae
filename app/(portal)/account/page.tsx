import type { Metadata } from 'next'
import { requireSession } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { visitor } from '@/app/session/visitor'
import { Badge } from '@/app/ui/badge'
import { Card, PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { accountOf } from '@/lib/auth/actor'
import { ssoOnlyPlaces } from '@/lib/auth/people/memberships'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import { listPasskeys } from '@/lib/operations/account/passkeys'
import { listSessions } from '@/lib/operations/account/sessions'
import { execute } from '@/lib/operations/execute'
import { EndSession, PasswordForm, SwitchTo } from './forms.client'
import { PasskeyList } from './passkey-list'
import { SignOut } from './sign-out.client'
import { SsoAccount, SsoOnly } from './sso'
import { TwoFactor } from './two-factor.client'

export const metadata: Metadata = { title: 'Account' }

/** Returns the browser and system named in a user agent, in words people recognize. */
function deviceOf(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = /(Edg|Firefox|Chrome|Safari)(?=\/)/.exec(text)?.[1]?.replace('Edg', 'Edge') ?? 'Unknown browser'
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(text)?.[1]
  return system ? `${browser}, ${system}` : browser
}

/** The user's account: contractors, password, second factor, passkeys and active sessions. */
export default async function Account() {
  const { person, memberships, current } = await requireSession()
  // The provider belongs to one contractor: it opens nothing of the account.
  if (person.session.onlyContractor !== null) return <SsoAccount person={person} contractor={current?.name} />
  const at = await desk()
  const ctx = { actor: accountOf(person, (await visitor()).address), now: at.now }
  const [{ items: sessions }, { items: passkeys }] = await Promise.all([
    execute(listSessions, ctx, {}),
    execute(listPasskeys, ctx, {}),
  ])
  return (
    <>
      <PageHead title="Account" text={`${person.name}, ${person.email}`} />
      <div className="grid gap-5 lg:grid-cols-2">
        <div className="grid content-start gap-5">
          <Card title="Contractors" text="Your contractors and roles.">
            <ul className="grid gap-2">
              {memberships.map(({ contractorId, name, role }) => (
                <li key={contractorId} className="flex flex-wrap items-center gap-2">
                  <span className="me-auto">{name}</span> <Badge>{ROLE_TEXTS[role].title}</Badge>
                  {memberships.length > 1 && contractorId !== current?.contractorId && (
                    <SwitchTo contractorId={contractorId} name={name} />
                  )}
                </li>
              ))}
            </ul>
            <SsoOnly places={await ssoOnlyPlaces(person)} />
            <div className="mt-4">
              <SignOut />
            </div>
          </Card>
          <Card
            title="Two-factor sign-in"
            text="A code from an authenticator app in addition to the password."
            actions={<Badge tone={person.twoFactor ? 'good' : 'neutral'}>{person.twoFactor ? 'On' : 'Off'}</Badge>}
          >
            <TwoFactor isOn={person.twoFactor} email={person.email} />
          </Card>
        </div>
        <Card title="Password" text="Changing it ends every other session.">
          <PasswordForm email={person.email} />
        </Card>
        <PasskeyList desk={at} passkeys={passkeys} email={person.email} />
        <Card title="Sessions" text="Where you are signed in. Sessions end after seven days." className="lg:col-span-2">
          <DataTable
            desk={at}
            caption="Sessions of this account"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={[
              { name: 'device', head: 'Browser', kind: 'text', value: ({ userAgent }) => deviceOf(userAgent) },
              { name: 'address', head: 'IP address', kind: 'code', value: ({ address }) => address ?? 'unknown' },
              { name: 'since', head: 'Since', kind: 'moment', rank: 2, value: ({ createdAt }) => createdAt },
              {
                name: 'end',
                head: 'End',
                kind: 'parts',
                width: '@xl:w-32',
                isAction: true,
                parts: ({ id, userAgent }) =>
                  id === person.session.id ? (
                    <Badge>This session</Badge>
                  ) : (
                    <EndSession id={id} name={deviceOf(userAgent)} />
                  ),
              },
            ]}
          />
        </Card>
      </div>
    </>
  )
}
