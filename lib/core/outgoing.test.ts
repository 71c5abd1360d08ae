import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sourceFiles } from '@/lib/testing/sources'

/** The code that opens a connection or looks up a name on the server: Node's own, `fetch`, and packages that do. */
const OPENS = [
  /(?<![.\w])fetch\(/,
  /import \{[^}]*\b(?:request|connect|lookup|Agent)\b[^}]*\} from 'node:(?:http|https|net|tls|dns|http2|dgram)/,
  /from 'undici'|import\('(?:undici|nodemailer|ssh2)'\)/,
]

/** The party whose address each connection goes to. What a customer or a stranger names is in the first group only. */
const NAMED = {
  'somebody else: checked by public-address.ts': [
    'lib/core/public-address.ts',
    'lib/core/public-request.ts',
    'lib/load/fetch/sftp-session.ts',
  ],
  'the operator, in a setting': [
    'lib/connectors/quickbooks/http.ts',
    'lib/knowledge/retrieval/embed.ts',
    'lib/notify/mail.ts',
  ],
  'this machine': ['lib/cli/control.ts', 'lib/cli/commands/status.ts'],
}

/** Reports whether a file runs in the browser and asks its page's host, as the browser lets it. */
const isBrowsers = (path: string) =>
  path.startsWith('lib/portal/') || path.includes('.client.') || path.includes('/views/')

test('what leaves for an address that somebody entered passes the one check: nothing else opens connections', () => {
  const opening = sourceFiles()
    .filter((path) => /^(app|lib|db)\//.test(path) && !isBrowsers(path) && !path.includes('testing'))
    .filter((path) => OPENS.some((pattern) => pattern.test(readFileSync(path, 'utf8'))))
  expect(opening.sort()).toEqual(Object.values(NAMED).flat().sort())
})
