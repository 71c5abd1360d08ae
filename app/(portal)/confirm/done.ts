/** The channel on which the tab that confirmed tells the others of this browser. */
export const CONFIRMED = 'plumbline confirmed'

/** Returns the page that says it is done; its link leads on to `next`. */
export const donePage = (next: string): string => `/confirm?done=1&next=${encodeURIComponent(next)}`

/** Returns where a person signs in again at their provider. */
export const ssoStart = (slug: string, next: string): string =>
  `/sign-in/sso/${encodeURIComponent(slug)}/start?again=1&next=${encodeURIComponent(donePage(next))}`
