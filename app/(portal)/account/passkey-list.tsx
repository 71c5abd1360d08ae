import type * as z from 'zod'
import { Card } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import type { listPasskeys } from '@/lib/operations/account/passkeys'
import { AddPasskey, PasskeyActions } from './passkeys.client'

type Passkey = z.output<typeof listPasskeys.output>['items'][number]

/** The user's passkeys, and a form to add one. */
export function PasskeyList({ passkeys, email, desk }: { passkeys: Passkey[]; email: string; desk: Desk }) {
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
