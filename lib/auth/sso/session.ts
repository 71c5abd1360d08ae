import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'

/** The length of a session of single sign-on, in seconds: whoever the provider no longer knows is out the same day. */
const SSO_SESSION_SECONDS = 12 * 3_600

/**
 * Begins sessions of single sign-on, which reach one contractor. As with every path of the library, nothing of it is served: only
 * {@link finishSso} calls it, after the provider has said who it is.
 */
export const ssoSessions = () =>
  ({
    id: 'sso-sessions',
    endpoints: {
      beginSsoSession: createAuthEndpoint(
        '/sso-session',
        { method: 'POST', body: z.object({ personId: z.string(), contractorId: z.string(), provenAt: z.date() }) },
        async (ctx) => {
          const { personId, contractorId: onlyContractor, provenAt } = ctx.body
          const { internalAdapter } = ctx.context
          const user = await internalAdapter.findUserById(personId)
          if (!user) throw new APIError('NOT_FOUND')
          const expiresAt = new Date(Date.now() + SSO_SESSION_SECONDS * 1_000)
          const proof = { provenAt, provenBy: 'single sign-on' }
          const session = await internalAdapter.createSession(
            personId,
            false,
            { onlyContractor, expiresAt, ...proof },
            true,
          )
          await setSessionCookie(ctx, { session, user }, false, { maxAge: SSO_SESSION_SECONDS })
          return ctx.json({})
        },
      ),
    },
  }) satisfies BetterAuthPlugin
