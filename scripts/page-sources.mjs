// A part of `npm run build`, after Next's: notes which of our sources the pages in .next were built from, so that bin/built.mjs can
// check whether they are current and match the server in dist/.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { giveUp, root } from './ready.mjs'

const next = join(root, '.next')

/** A path from the root, as the manifests of both builds write it. */
const fromRoot = (path) => relative(root, path).split(sep).join('/')

const filesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => fromRoot(join(entry.parentPath ?? entry.path, entry.name)))

/** What may be part of pages without a source map on the server: styles, what runs in the browser alone, settings of the build. */
const WITHOUT_MAP = [...filesIn('app'), ...filesIn('lib/portal'), 'next.config.ts', 'postcss.config.mjs']

/** The sources of a map; a map of several parts has them in each. */
const sourcesOf = ({ sources = [], sections = [] }) => [...sources, ...sections.flatMap(({ map }) => sourcesOf(map))]

/** Our source behind a name in a map: a path from the root. Undefined for packages and for code that Next generates. */
function ownSource(map, name) {
  const path = fromRoot(resolve(dirname(map), decodeURIComponent(name)))
  const isOurs = !/^\.\.|^\.next|(^|\/)node_modules\//.test(path) && existsSync(join(root, path))
  return isOurs ? path : undefined
}

const sources = new Set(WITHOUT_MAP)
for (const name of readdirSync(join(next, 'server'), { recursive: true })) {
  if (!name.endsWith('.map')) continue
  const map = join(next, 'server', name)
  for (const source of sourcesOf(JSON.parse(readFileSync(map, 'utf8')))) {
    const path = ownSource(map, source)
    if (path) sources.add(path)
  }
}
if (!sources.has('lib/core/env.ts'))
  giveUp(
    'No source map in .next/server names lib/core/env.ts, so nothing says what the pages were built from. See scripts/page-sources.mjs.',
  )

// A path that only the running program knows makes the tracer pack the whole project into each function.
const packsAll = readdirSync(join(next, 'server/app'), { recursive: true })
  .filter((name) => name.endsWith('.nft.json'))
  .find((name) => readFileSync(join(next, 'server/app', name), 'utf8').includes('.spec.ts"'))
if (packsAll)
  console.error(
    `The function of ${packsAll.replace(/\.js\.nft\.json$/, '')} contains the whole project, tests too: a file is opened by a path that the build cannot know. The build's warning above names it; put /* turbopackIgnore: true */ before the path.`,
  )

const hashOf = (path) =>
  createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex')
const built = readFileSync(join(next, 'BUILD_ID'), 'utf8')
writeFileSync(
  join(next, 'sources.json'),
  JSON.stringify({ built, sources: Object.fromEntries([...sources].sort().map((path) => [path, hashOf(path)])) }),
)
