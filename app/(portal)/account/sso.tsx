import { Card, PageHead } from '@/app/ui/card'
import { SignOut } from './sign-out.client'

/** The account as a session of single sign-on sees it: whose it is, and how to leave. */
export function SsoAccount({
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
export function SsoOnly({ places }: { places: { name: string; slug: string }[] }) {
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
