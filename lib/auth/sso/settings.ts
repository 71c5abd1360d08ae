import { database, withinContractor } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import {
  deleteIdentitiesAt,
  deleteProvider,
  deleteSsoSessions,
  findBreakGlass,
  findProvider,
  putProvider,
  type SsoProvider,
  setRequired,
} from '@/db/queries/sso'
import { ServiceError } from '@/lib/core/errors'
import { urlFault } from '@/lib/core/public-address'
import type { Role } from '@/lib/core/roles'
import type { ActingPerson } from '../actor'
import { audit } from '../audit'
import { sealClientSecret, ssoClient } from './client'
import { ssoRedirectUri, ssoSignInUrl } from './sign-in'

/** The settings that an administrator enters for the contractor's provider. */
export type SsoSettings = {
  issuer: string
  clientId: string
  /** The secret, left out to keep the stored one, which only the same issuer and client may get. */
  clientSecret?: string | undefined
  domains: string[]
  joinRole: Role | null
}

/** A contractor's provider as its administrators see it, without the secret, and the two addresses that go with it. */
export async function ssoSettings(contractorId: string) {
  const { orm } = await database()
  const contractor = await findContractor(orm, contractorId)
  if (!contractor) throw new ServiceError('not_found', 'There is no such contractor.')
  const provider = await withinContractor(orm, contractorId, (tx) => findProvider(tx, contractorId))
  const breakGlass = await findBreakGlass(orm, contractorId)
  return {
    provider: provider ?? null,
    breakGlass: breakGlass ?? null,
    signInUrl: ssoSignInUrl(contractor.slug),
    redirectUri: ssoRedirectUri(contractor.slug),
  }
}

const fault = (field: string, message: string) =>
  new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })

/** Reads the discovery document, so that a misspelled issuer is found now and not at the first sign-in. */
async function requireAnswering(settings: SsoSettings): Promise<void> {
  const wrong = urlFault(settings.issuer)
  if (wrong) throw fault('issuer', wrong)
  try {
    await ssoClient(settings, settings.clientSecret ?? 'kept')
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    throw fault(
      'issuer',
      `has no discovery document that can be used at ${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration (${said.slice(0, 200)}). Enter the issuer exactly as the provider shows it.`,
    )
  }
}

function sealedFor(settings: SsoSettings, kept: SsoProvider | undefined): string {
  if (settings.clientSecret !== undefined) return sealClientSecret(settings.clientSecret)
  if (kept && kept.issuer === settings.issuer && kept.clientId === settings.clientId) return kept.sealedSecret
  throw fault('clientSecret', 'is required: the stored one is of another issuer or client')
}

/**
 * Sets a contractor's provider. Another issuer, client or secret must prove itself again by a sign-in before it can be required, and ends
 * the sessions that the one before began.
 * @throws ServiceError `bad_request` when the provider does not answer, or nothing here protects its secret
 */
export async function setSso(by: ActingPerson, settings: SsoSettings): Promise<void> {
  const { orm } = await database()
  const { contractorId } = by
  await requireAnswering(settings)
  const { issuer, clientId, domains, joinRole } = settings
  const isOther = await withinContractor(orm, contractorId, async (tx) => {
    const kept = await findProvider(tx, contractorId)
    const sealedSecret = sealedFor(settings, kept)
    const isSame = kept?.sealedSecret === sealedSecret && kept.issuer === issuer && kept.clientId === clientId
    const state = isSame ? { required: kept.required, provenAt: kept.provenAt } : { required: false, provenAt: null }
    await putProvider(tx, { contractorId, issuer, clientId, sealedSecret, domains, joinRole, ...state })
    // Providers may give people other subjects for another client.
    if (kept && kept.clientId !== clientId) await deleteIdentitiesAt(tx, { contractorId, issuer })
    const detail = { domains: domains.join(', '), joinRole }
    const told = `${issuer}, for addresses of ${detail.domains}`
    await audit(tx, by, { event: 'sso_set', subject: issuer, detail, told })
    return kept !== undefined && !isSame
  })
  // Behind the fence nobody reads sessions.
  if (isOther) await deleteSsoSessions(orm, contractorId)
}

/**
 * Sets whether the team reaches this contractor only through single sign-on. It can be required once somebody has signed in through it as
 * it is set; the operator can always end it, in case the provider fails.
 * @throws ServiceError `not_found` without a provider, `bad_request` while nobody has signed in through it
 */
export async function requireSso(by: ActingPerson, required: boolean): Promise<void> {
  const { orm } = await database()
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const provider = await findProvider(tx, contractorId)
    if (!provider) throw noProvider()
    if (required && provider.provenAt === null)
      throw new ServiceError(
        'bad_request',
        'Sign in with single sign-on once before you require it, so that nobody is locked out.',
      )
    await setRequired(tx, contractorId, required)
    await audit(tx, by, {
      event: 'sso_set',
      subject: provider.issuer,
      detail: { required },
      told: `${provider.issuer}, ${required ? 'and requires it' : 'which is not required'}`,
    })
  })
}

/** Removes a contractor's provider, and ends the sessions that it began. @throws ServiceError `not_found` without one */
export async function removeSso(by: ActingPerson): Promise<void> {
  const { orm } = await database()
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const provider = await findProvider(tx, contractorId)
    if (!provider) throw noProvider()
    await deleteProvider(tx, contractorId)
    await audit(tx, by, { event: 'sso_removed', subject: provider.issuer, told: provider.issuer })
  })
  // They reach nothing without the provider.
  await deleteSsoSessions(orm, contractorId)
}

const noProvider = () => new ServiceError('not_found', 'No single sign-on is set up for this contractor.')
