import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { once } from '@/lib/core/later'

/** A guide as it stands in `docs/guides/<slug>.md`: what its front matter says, and the Markdown under it, addresses not filled in. */
export type GuideSource = { slug: string; title: string; description: string; order: number; body: string }

const FrontMatter = z
  .object({ title: z.string().min(1), description: z.string().min(1), order: z.coerce.number().int() })
  .strict()

// Both entries run in the project's folder; on Vercel the functions carry the files named in next.config.ts.
const root = () => /* turbopackIgnore: true */ process.cwd()

/** A file of the project's documents, such as `docs/api-changelog.md`. */
export const readDocument = (...path: string[]): string =>
  readFileSync(join(/* turbopackIgnore: true */ root(), ...path), 'utf8')

/**
 * Takes a file apart: front matter of `name: value` lines between two lines of `---`, then Markdown.
 * @throws Error that names the guide, when the front matter is missing or says anything else than title, description, order
 */
export function parseGuide(slug: string, text: string): GuideSource {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(text) ?? []
  if (head === undefined || body === undefined) throw new Error(`The guide ${slug} has no front matter`)
  const said = head
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  const parsed = FrontMatter.safeParse(Object.fromEntries(said))
  if (!parsed.success) throw new Error(`The front matter of the guide ${slug}: ${z.prettifyError(parsed.error)}`)
  return { slug, ...parsed.data, body }
}

/** The guides in their order; read once, because they do not change while a process runs. */
export const guideSources = once((): readonly GuideSource[] =>
  readdirSync(join(/* turbopackIgnore: true */ root(), 'docs', 'guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => parseGuide(name.slice(0, -'.md'.length), readDocument('docs', 'guides', name)))
    .sort((a, b) => a.order - b.order),
)
