import { AsyncLocalStorage } from 'node:async_hooks'
import { shared } from '@/lib/core/shared'

const current = shared<AsyncLocalStorage<string>>('oauthGrant', () => new AsyncLocalStorage())

/** Runs the library's consent call for a grant, whose id it puts into the code and its tokens. */
export const consentingTo = <T>(grantId: string, work: () => Promise<T>): Promise<T> => current().run(grantId, work)

/** The reference of no grant: without one the library would take the consent of any contractor. */
const NONE = 'no grant'

/** The grant of the consent call under way; outside one, a reference that no consent has. */
export const grantOfConsent = (): string => current().getStore() ?? NONE
