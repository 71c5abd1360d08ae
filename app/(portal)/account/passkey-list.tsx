import type { z } from 'zod'
import { Card } from '@/app/ui/card'
import { Table } from '@/app/ui/table'
import { Time } from '@/app/ui/time'
import type { listPasskeys } from '@/lib/operations/account/passkeys'
import { AddPasskey, PasskeyActions } from './passkeys.client'

type Passkey = z.output<typeof listPasskeys.output>['items'][number]

/** The user's passkeys, and a form to add one. */
export function PasskeyList({ passkeys, email }: { passkeys: Passkey[]; email: string }) {
  return (
    <Card
      title="Passkeys"
      text="Sign in with fingerprint, face or PIN instead of password and code."
      actions={<AddPasskey email={email} />}
      className="lg:col-span-2"
    >
      <Table
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
          {
            name: 'name',
            width: 'sm:w-48',
            head: 'Name',
            cell: ({ name }) => name,
          },
          {
            name: 'kept',
            width: 'sm:w-48',
            head: 'Stored',
            cell: ({ synced }) => (synced ? 'Synced between devices' : 'On one device'),
          },
          {
            name: 'added',
            width: 'sm:w-50',
            head: 'Added',
            cell: ({ createdAt }) => createdAt && <Time at={createdAt} />,
          },
          {
            name: 'used',
            width: 'sm:w-50',
            head: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'Never'),
          },
          {
            name: 'change',
            width: 'sm:w-56',
            head: <span className="sr-only">Change</span>,
            label: '',
            cell: ({ id, name }) => <PasskeyActions id={id} name={name} />,
          },
        ]}
      />
    </Card>
  )
}
