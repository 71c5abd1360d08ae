import { ssoOnlyPlaces } from '@/lib/auth/people/memberships'
import { here, type Session } from '../session/actor'
import { LinkButton } from '../ui/button'
import { PageHead } from '../ui/card'
import { SignOut } from './account/sign-out.client'

/** A message for somebody whose session reaches no contractor: where to sign in instead, or whom to ask. */
export async function NoContractor({ person }: Pick<Session, 'person'>) {
  const places = await ssoOnlyPlaces(person)
  const next = encodeURIComponent(await here())
  const [place] = places
  return (
    <div className="mx-auto grid max-w-lg gap-5">
      <PageHead
        title={place ? `${place.name} requires single sign-on` : 'You are not on a team'}
        text={
          place
            ? 'Your password does not open it. Sign in there with your company’s own sign-in.'
            : 'This account is on no team. Ask an administrator of the contractor for an invitation.'
        }
      />
      {places.map(({ name, slug }) => (
        <LinkButton key={slug} href={`/sign-in/sso/${slug}?next=${next}`} look="main">
          {places.length === 1 ? 'Sign in with single sign-on' : `Sign in to ${name}`}
        </LinkButton>
      ))}
      <p className="text-sm wrap-anywhere text-quiet">You are signed in as {person.email}.</p>
      <SignOut />
    </div>
  )
}
