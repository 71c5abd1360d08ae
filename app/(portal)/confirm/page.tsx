import type { Metadata } from 'next'
import { requireSession } from '@/app/session/actor'
import { pathHere } from '@/app/session/path'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { waysToConfirm } from '@/lib/auth/people/confirm'
import { isRecentProof } from '@/lib/auth/require'
import { ConfirmHere, Tell } from './here.client'

export const metadata: Metadata = { title: 'Confirm it’s you', robots: { index: false } }

type Search = Promise<{ next?: string | string[]; done?: string | string[] }>

/** Asks a signed-in person to confirm that it is them, for browsers without script and after single sign-on. */
export default async function Confirm({ searchParams }: { searchParams: Search }) {
  const { person } = await requireSession()
  const { next, done } = await searchParams
  const onward = pathHere(typeof next === 'string' ? next : undefined)
  const isDone = done !== undefined && isRecentProof(person.session.provenAt, new Date())
  return (
    <div className="mx-auto max-w-sm">
      {isDone ? (
        <>
          <PageHead
            title="Confirmed"
            text="Go back to the tab you came from: what you entered is still there. Or go on here."
          />
          <Tell />
          <LinkButton href={onward}>Go on here</LinkButton>
        </>
      ) : (
        <>
          <PageHead title="Confirm it’s you" text={`You are signed in as ${person.email}.`} />
          <ConfirmHere ways={{ ...(await waysToConfirm(person)), page: onward }} next={onward} />
        </>
      )}
    </div>
  )
}
