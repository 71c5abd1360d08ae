import { OWN_SCOPE_TEXTS, SCOPES, type Scope } from '@/lib/auth/scopes'
import { RESOURCES } from './registry'

const TEXTS: Record<string, string> = {
  ...OWN_SCOPE_TEXTS,
  ...Object.fromEntries(RESOURCES.map(({ scope, scopeText }) => [scope, scopeText])),
}

/** The scopes, and what each lets a key do. */
export const SCOPES_WITH_TEXTS: { id: Scope; text: string }[] = SCOPES.map((id) => ({ id, text: TEXTS[id] ?? '' }))
