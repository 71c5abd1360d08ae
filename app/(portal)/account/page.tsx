import type { Metadata } from 'next'
import type * as z from 'zod'
import { requireSession } from '@/app/session/actor'
import { desk } from '@/app/session/desk'
import { visitor } from '@/app/session/visitor'
import { Badge } from '@/app/ui/badge'
import { Card, PageHead } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import { accountOf } from '@/lib/auth/actor'
import { ssoOnlyPlaces } from '@/lib/auth/people/memberships'
import { ROLE_TEXTS } from '@/lib/auth/roles'
import type { Desk } from '@/lib/core/desk'
import { listPasskeys } from '@/lib/operations/account/passkeys'
import { listSessions } from '@/lib/operations/account/sessions'
import { execute } from '@/lib/operations/execute'
import { EndSession, PasswordForm, SwitchTo } from './forms.client'
import { AddPasskey, PasskeyActions } from './passkeys.client'
import { SignOut } from './sign-out.client'
import { TwoFactor } from './two-factor.client'

type Passkey = z.output<typeof listPasskeys.output>['items'][number]

/** The user's passkeys, and a form to add one. */
function PasskeyList({ passkeys, email, desk }: { passkeys: Passkey[]; email: string; desk: Desk }) {
  return (
    <Card
      title="Passkeys"
      text="Sign in with fingerprint, face or PIN instead of password and code."
      actions={<AddPasskey email={email} />}
      className="lg:col-span-2"
    >
      <DataTable
        desk={desk}
        caption="Passkeys of this account"
        rows={passkeys}
        rowKey={({ id }) => id}
        empty={
          <p className="text-quiet">
            No passkeys yet. Add one on each device you sign in from: it signs you in with a touch, and nobody can guess
            it or trick you into entering it on another site.
          </p>
        }
        columns={[
          { name: 'name', head: 'Name', kind: 'text', value: ({ name }) => name },
          {
            name: 'kept',
            head: 'Stored',
            kind: 'text',
            rank: 2,
            value: ({ synced }) => (synced ? 'Synced between devices' : 'On one device'),
          },
          { name: 'added', head: 'Added', kind: 'moment', rank: 3, value: ({ createdAt }) => createdAt },
          { name: 'used', head: 'Last used', kind: 'moment', rank: 2, value: ({ lastUsedAt }) => lastUsedAt },
          {
            name: 'change',
            head: 'Change',
            kind: 'parts',
            width: '@xl:w-56',
            isAction: true,
            parts: ({ id, name }) => <PasskeyActions id={id} name={name} />,
          },
        ]}
      />
    </Card>
  )
}

/** The account as a session of single sign-on sees it: whose it is, and how to leave. */
function SsoAccount({
  person,
  contractor,
}: {
  person: { name: string; email: string }
  contractor: string | undefined
}) {
  return (
    <>
      <PageHead title="Account" text={`${person.name}, ${person.email}`} />
      <Card
        title="Single sign-on"
        text={`You signed in with the single sign-on of ${contractor ?? 'a contractor'}, which opens nothing else. To change your password, passkeys or other contractors, sign in with your own password or passkey.`}
      >
        <SignOut />
      </Card>
    </>
  )
}

/** Contractors that a password does not open. */
function SsoOnly({ places }: { places: { name: string; slug: string }[] }) {
  if (places.length === 0) return null
  return (
    <ul className="mt-2 grid gap-2">
      {places.map(({ name, slug }) => (
        <li key={slug} className="flex flex-wrap items-center gap-2">
          <span className="me-auto">{name}</span>
          <a href={`/sign-in/sso/${slug}`} className="text-sm underline">
            Requires single sign-on
          </a>
        </li>
      ))}
    </ul>
  )
}

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
