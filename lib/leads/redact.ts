/** Field names under which senders put secrets into a body. */
const NAMES =
  '(?:google_?key|api_?key|x-api-key|access_?token|auth_?token|token|secret|client_?secret|password|authorization)'
const IN_JSON = new RegExp(`("${NAMES}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gi')
const IN_FORM = new RegExp(`((?:^|&)${NAMES}=)[^&]*`, 'gi')
const IN_PART = new RegExp(`(name="${NAMES}"(?:\\r\\n[^\\r\\n]+)*\\r\\n\\r\\n)[^\\r\\n]*`, 'gi')
const OWN_KEY = /plb_(?:live|test)_[0-9A-Za-z]+/g

const REMOVED = '[removed]'

/** A raw body with its secrets removed and otherwise unchanged; works on truncated and invalid JSON too. */
export function withoutSecrets(body: string): string {
  return body
    .replace(IN_JSON, `$1"${REMOVED}"`)
    .replace(IN_FORM, `$1${REMOVED}`)
    .replace(IN_PART, `$1${REMOVED}`)
    .replace(OWN_KEY, REMOVED)
}
