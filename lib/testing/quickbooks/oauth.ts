import { randomBytes } from 'node:crypto'

export const TEST_APP = { clientId: 'the-client-of-the-tests', clientSecret: 'the-secret-of-the-tests' }

type Refresh = { realm: string; isCurrent: boolean; until: number; replacedAt?: number }

/** The tokens of Intuit: access tokens that end after an hour, refresh tokens whose value changes and whose old value works for a while. */
export class TestTokens {
  private readonly codes = new Map<string, { realm: string; redirect: string }>()
  private readonly access = new Map<string, { realm: string; until: number }>()
  private readonly refreshes = new Map<string, Refresh>()
  /** The number of token renewals. */
  renewals = 0
  accessSeconds = 3600
  /** The time a refresh token works after another took its place. */
  graceMs = 24 * 3_600_000

  constructor(private readonly clock: () => Date) {}

  private now = () => this.clock().getTime()

  code(realm: string, redirect: string): string {
    const code = `code-${randomBytes(12).toString('hex')}`
    this.codes.set(code, { realm, redirect })
    return code
  }

  private issue(realm: string) {
    const access = `access-${randomBytes(16).toString('hex')}`
    const refresh = `refresh-${randomBytes(16).toString('hex')}`
    this.access.set(access, { realm, until: this.now() + this.accessSeconds * 1000 })
    this.refreshes.set(refresh, { realm, isCurrent: true, until: this.now() + 8_640_000_000 })
    return {
      token_type: 'bearer',
      access_token: access,
      expires_in: this.accessSeconds,
      refresh_token: refresh,
      x_refresh_token_expires_in: 8_640_000,
    }
  }

  /** Answers the token endpoint: undefined is `invalid_grant`. */
  answer(form: URLSearchParams): Record<string, unknown> | undefined {
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? ''
      const found = this.codes.get(code)
      this.codes.delete(code)
      return found && found.redirect === form.get('redirect_uri') ? this.issue(found.realm) : undefined
    }
    const found = this.refreshes.get(form.get('refresh_token') ?? '')
    if (!found || found.until < this.now()) return undefined
    if (!found.isCurrent && this.now() - (found.replacedAt ?? 0) > this.graceMs) return undefined
    this.renewals++
    for (const each of this.refreshes.values())
      if (each.realm === found.realm && each.isCurrent)
        Object.assign(each, { isCurrent: false, replacedAt: this.now() })
    return this.issue(found.realm)
  }

  /** Returns whose books an access token opens; undefined when it is over. */
  realmOf(authorization: string | undefined): string | undefined {
    const found = this.access.get((authorization ?? '').replace(/^Bearer /, ''))
    return found && found.until > this.now() ? found.realm : undefined
  }

  /** Ends every token of a company, as when somebody disconnects the app there. */
  revoke(realm: string): void {
    for (const tokens of [this.access, this.refreshes])
      for (const [text, of] of tokens) if (of.realm === realm) tokens.delete(text)
  }

  realmOfRefresh = (token: string) => this.refreshes.get(token)?.realm
  /** Ends access tokens before their time. */
  expireAccess = () => this.access.clear()
  isLive = (realm: string) => [...this.refreshes.values()].some((each) => each.realm === realm)
}
