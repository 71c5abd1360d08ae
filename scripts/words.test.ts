import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const SKIPPED =
  /(^|\/)(node_modules|migrations|judges|package-lock\.json|next-env\.d\.ts|\.(git|next|data|vercel))(\/|$)|^artifacts\/|^scripts\/words\.test\.ts$/
const PROSE = /\.(tsx?|mjs|css|md|json|ya?ml|example)$/

/** Words that American readers in this field have to decode, each with what to write instead, and British spellings. */
const BANNED: [pattern: RegExp, instead: string][] = [
  [/\banew\b|[a-z]Anew\b/, 'again, or the verb: reload, redraw, restart'],
  [/\b[Mm]end(s|ed|able)?\b|[a-z]Mended\b/, 'fix, correct, edit'],
  [/\b[Ee]ras?\b/, 'protocol mode'],
  [/\b(whosoever|whomsoever|thereof|therein|thereby|hitherto|whilst|amongst)\b/i, 'plain English'],
  [/\b(look-ups?|set-ups?)\b/i, 'lookup, setup'],
  [
    /\b(works? off|worked off|working off|a stretch of|for good|ha(s|ve) had (its|their) time)\b/i,
    'process, a period of, permanently, expired',
  ],
  [/\bE-mails?\b/i, 'email'],
  [/(colou|honou|favou|behaviou|labou)r/i, 'American spelling: -or'],
  [/\b(centre|metres?|catalogue|judgement|grey|cheques|programme)\b/i, 'American spelling'],
  [
    /\b(optim|normal|recogn|organ|categor|initial|serial|summar|author|sanit|capital|minim|maxim)is(e[ds]?|ing|ation)\b/i,
    '-ize',
  ],
  [/\b(label|model|signal|level|travel)l(ed|ing)\b/i, 'one l'],
]

/**
 * Headers, units and another program's option that files may contain. `licence`, `neighbours` and `cancelled` are also allowed, because clients read them as
 * fields and values.
 */
const KEPT = /E-mail Address|E-Mail'|'(square|cubic)?metre'|--protocol-era/

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (SKIPPED.test(path)) return []
    return entry.isDirectory() ? filesUnder(path) : PROSE.test(path) ? [path] : []
  })
}

test('the project is written in plain American English', () => {
  const found = filesUnder('').flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    return lines.flatMap((line, i) => {
      const text = line.replace(KEPT, '')
      return BANNED.filter(([pattern]) => pattern.test(text)).map(
        ([, instead]) => `${path}:${i + 1}: ${instead}: ${line.trim().slice(0, 100)}`,
      )
    })
  })
  expect(found.join('\n')).toBe('')
})
