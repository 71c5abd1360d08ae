import type { Scope } from './scopes'

/** On whose behalf something runs. The tenant always comes from here, never from an argument. */
export type Actor = { kind: 'key'; keyId: string; contractorId: string; scopes: ReadonlySet<Scope> }
