/** Field names under which senders put secrets into a body. */
const NAMES =
  '(?:google_?key|api_?key|x-api-key|access_?token|auth_?token|token|secret|client_?secret|password|authorization)'
const IN_JSON = new RegExp(`("${NAMES}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gi')
const IN_FORM = new RegExp(`((?:^|&)${NAMES}=)[^&]*`, 'gi')
/** A line in the head of a part that ends in such a name. */
const OF_PART = new RegExp(`name="${NAMES}"(?:\\r\\n|$)`, 'i')
const BLANK_LINE = '\r\n\r\n'
const LINE = /^[^\r\n]*/
const OWN_KEY = /plb_(?:live|test)_[0-9A-Za-z]+/g

const REMOVED = '[removed]'

/** The first line behind a head that names a secret, removed. Read by blank lines, so that no head is read twice. */
function withoutParts(body: string): string {
  const pieces = body.split(BLANK_LINE)
  return pieces
    .map((piece, i) => (OF_PART.test(pieces[i - 1] ?? '') ? piece.replace(LINE, REMOVED) : piece))
    .join(BLANK_LINE)
}

/** A raw body with its secrets removed and otherwise unchanged; works on truncated and invalid JSON too. */
export function withoutSecrets(body: string): string {
  return withoutParts(body.replace(IN_JSON, `$1"${REMOVED}"`).replace(IN_FORM, `$1${REMOVED}`)).replace(
    OWN_KEY,
    REMOVED,
  )
}
