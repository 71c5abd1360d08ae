import type { Metadata } from 'next'
import { pathHere } from '@/app/session/path'
import { LinkButton } from '@/app/ui/button'
import { PageHead } from '@/app/ui/card'
import { Notice } from '@/app/ui/notice'
import { isSsoReason, SSO_REASONS } from '@/lib/auth/sso/refusal'
import { ssoPlace } from '@/lib/auth/sso/sign-in'

export const metadata: Metadata = { title: 'Single sign-on', robots: { index: false } }

type Props = {
  params: Promise<{ slug: string }>
  searchParams: Promise<{ next?: string | string[]; why?: string | string[] }>
}

const one = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

/** A contractor's own sign-in: where it leads to, and why the last attempt failed. */
export default async function ContractorSignIn({ params, searchParams }: Props) {
  const { slug } = await params
  const { next, why } = await searchParams
  const place = await ssoPlace(slug)
  if (!place)
    return (
      <PageHead
        title="No single sign-on here"
        text="No contractor signs in at this address. Check it, or sign in with your password."
        actions={<LinkButton href="/sign-in">Sign in</LinkButton>}
      />
    )
  const reason = one(why)
  const start = `/sign-in/sso/${encodeURIComponent(slug)}/start?next=${encodeURIComponent(pathHere(one(next)))}`
  return (
    <div className="mx-auto max-w-sm">
      <PageHead title={place.name} text={`You sign in at ${place.host}, then come back here.`} />
      <div className="grid gap-4">
        {isSsoReason(reason) && (
          <Notice tone="danger" alert>
            <p>{SSO_REASONS[reason]}</p>
          </Notice>
        )}
        <LinkButton href={start} look="main" className="w-full">
          Sign in at {place.host}
        </LinkButton>
        <p className="text-sm">
          <a href="/sign-in" className="underline">
            Use a password or passkey
          </a>
        </p>
      </div>
    </div>
  )
}
