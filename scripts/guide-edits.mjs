// `npm run guide-edits`: writes docs/guide-edits.json, the edits of each guide as the project's history has them.
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './ready.mjs'

const guides = join(root, 'docs', 'guides')

/** Subjects without their kind: `docs(guides): plain words` is `Plain words`. */
function whatOf(subject) {
  const text = subject.replace(/^\w+(\([^)]*\))?!?: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function editsOf(name) {
  const log = execFileSync('git', ['log', '--date=short', '--format=%ad\t%s', '--', join('docs', 'guides', name)], {
    cwd: root,
    encoding: 'utf8',
  })
  return log
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .map(([date, subject]) => ({ date, what: whatOf(subject) }))
}

const edits = Object.fromEntries(
  readdirSync(guides)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => [name.slice(0, -'.md'.length), editsOf(name)]),
)
writeFileSync(join(root, 'docs', 'guide-edits.json'), `${JSON.stringify(edits, null, 2)}\n`)
