import { ServiceError } from '@/lib/core/errors'

/** The reasons why single sign-on let nobody in, for the person and their administrator. */
export const SSO_REASONS = {
  state: 'This sign-in took too long, was begun in another browser, or was used already. Start again.',
  denied: 'Your company’s sign-in did not let you in. Ask whoever runs it.',
  unreachable:
    'Your company’s sign-in cannot be reached, or does not answer as it should. Try again later, or sign in with a password.',
  invalid:
    'What your company’s sign-in answered could not be verified. Ask your administrator to check the settings of single sign-on.',
  unverified: 'Your company’s sign-in does not say that your email address is verified. Ask whoever runs it.',
  domain: 'Your email address is of a domain that single sign-on does not allow here. Ask your administrator.',
  unknown: 'You are not on this team. Ask an administrator to invite you.',
  account:
    'There is an account for your email address already, which is not on this team. Ask an administrator to invite you, and accept with that account.',
  linked:
    'This email address belongs to another account at your company’s sign-in, which was linked here first. If that was your earlier account, ask an administrator to remove you from the team and invite you again.',
  other: 'You signed in there as somebody else. Sign in as the person you are signed in as here.',
  stale: 'Your company’s sign-in did not ask you to sign in again. Sign out there, and try again.',
  secret:
    'The settings of single sign-on cannot be read any more. Ask your administrator to enter the client secret again.',
} as const

export type SsoReason = keyof typeof SSO_REASONS

export const isSsoReason = (text: string | undefined): text is SsoReason =>
  text !== undefined && Object.hasOwn(SSO_REASONS, text)

/** A sign-in that ends without a session; `reason` is what the page shows. */
export class SsoRefusal extends ServiceError {
  constructor(
    readonly reason: SsoReason,
    cause?: unknown,
  ) {
    super('bad_request', SSO_REASONS[reason], { cause })
  }
}
