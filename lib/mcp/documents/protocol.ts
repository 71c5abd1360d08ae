import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'

/** The newest version that `initialize` negotiates. */
export const NEWEST_SESSION_VERSION = SUPPORTED_PROTOCOL_VERSIONS[0]

/** The supported versions, newest first: the stateless revision, and those negotiated by `initialize`. */
export const PROTOCOL_VERSIONS: readonly string[] = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS]
