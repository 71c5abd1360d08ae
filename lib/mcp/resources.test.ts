import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { guideSources } from '@/lib/guides/source'
import { guideSource } from '@/lib/site/endpoints'
import { actorOf } from '@/lib/testing/answer-of'
import config from '@/next.config'
import { InvalidParams, UnknownResource } from './invalid-params'
import { mcpResources, readResource } from './resources'

const actor = actorOf({ id: 'con_of_a_test' }, [])

const GUIDES = guideSources().map(({ slug }) => slug)
const BESIDE = ['loading', 'reports']

test('resources: the metadata, the guides and what stands beside them, each said', () => {
  expect(GUIDES).toContain('delta-sync')
  expect(mcpResources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
    ['plumbline://metadata', 'application/json'],
    ...[...GUIDES, ...BESIDE].map((name) => [`plumbline://guides/${name}`, 'text/markdown']),
  ])
  for (const { name, title, description } of mcpResources)
    expect([name, title, description.length > 20]).toEqual([
      expect.stringMatching(/^[a-z-]+$/),
      expect.any(String),
      true,
    ])
})

test.each(BESIDE)('plumbline://guides/%s: the file as it stands', async (name) => {
  const uri = `plumbline://guides/${name}`
  const file = readFileSync(join(import.meta.dirname, '../../docs', `${name}.md`), 'utf8')
  expect(await readResource(uri, actor)).toEqual({ uri, mimeType: 'text/markdown', text: file })
  expect(file).toMatch(/^# \w/)
})

test.each(GUIDES)('plumbline://guides/%s: what is served at .md', async (name) => {
  const uri = `plumbline://guides/${name}`
  const { text } = await guideSource
    .answer({
      method: 'GET',
      url: `http://localhost/developers/guides/${name}.md`,
      headers: new Headers(),
      body: () => Promise.reject(new Error('there is none')),
      chunks: async function* () {},
      gone: () => new AbortController().signal,
    })
    .then(({ body }) => ({ text: body }))
  expect(await readResource(uri, actor)).toEqual({ uri, mimeType: 'text/markdown', text })
  expect(text).toMatch(/^# \w/)
})

test('the guides are packed with the functions', () => {
  const packed = config.outputFileTracingIncludes?.['/*']
  expect(packed).toEqual(expect.arrayContaining(['./docs/*.md', './docs/guides/*.md']))
})

test.each([
  '',
  'plumbline://guides/',
  'plumbline://guides/decisions',
  'plumbline://guides/../README',
  'plumbline://guides/leads.md',
  'PLUMBLINE://metadata',
  'plumbline://materials/mat_1',
  'plumbline://projects/cus_01jb2w9r4s8kq0v6m3n5x7y9za',
  'plumbline://projects?status=paid',
  'plumbline://customers?status=lead',
  'plumbline://projects/prj_1/notes',
  'file:///etc/passwd',
  'https://example.com/',
  '__proto__',
])('resource %j: a typed error with the URI and those there are; nothing is read', async (uri) => {
  const failure = readResource(uri, actor)
  await expect(failure).rejects.toBeInstanceOf(UnknownResource)
  await expect(failure).rejects.toBeInstanceOf(InvalidParams)
  await expect(failure).rejects.toMatchObject({ uri, message: expect.stringContaining('plumbline://guides/leads') })
})
