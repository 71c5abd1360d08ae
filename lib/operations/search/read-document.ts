import * as z from 'zod'
import { database } from '@/db/client'
import { readDocument as readSections } from '@/db/queries/read-document'
import { DOCUMENT_TYPES } from '@/db/schema'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'
import { typesFor } from './document-types'

/** Sections read at once, and the characters told of them: an answer to an agent has at most 25,000. */
const MOST_SECTIONS = 50
const MOST_CHARACTERS = 16_000

type Section = { heading: string; text: string }

/** The first sections that fit in one answer; always one, so that reading goes on. */
function fitting(sections: readonly Section[]): Section[] {
  let characters = 0
  const fits = sections.findIndex(({ heading, text }, i) => {
    characters += heading.length + text.length
    return i > 0 && characters > MOST_CHARACTERS
  })
  return sections.slice(0, fits === -1 ? sections.length : fits)
}

/** Reads a document that a search found, section by section. */
export const readDocument = defineOperation({
  name: 'read_document',
  title: 'Read a document',
  description: 'The whole text of a document that rag_search found, section by section.',
  access: 'read:documents',
  effect: 'read',
  input: z
    .object({
      id: z
        .string()
        .regex(/^doc_\w{1,60}$/, 'must be an id that begins with doc_, as rag.search gives it')
        .describe('doc_…'),
      skip: z.int().min(0).max(100_000).default(0).describe('Sections already read'),
    })
    .strict(),
  output: z.object({
    id: z.string(),
    type: z.enum(DOCUMENT_TYPES),
    title: z.string(),
    link: z.string().nullable(),
    sections: z.array(z.object({ heading: z.string(), sectionText: z.string() })),
    more: z.int().describe('Sections after these'),
    untrusted: z.boolean().describe('True when people outside of the company wrote it'),
  }),
  example: {
    id: 'doc_01k9zq4w0000000000000000aa',
    type: 'document',
    title: 'Workmanship warranty',
    link: null,
    sections: [{ heading: 'What is covered', sectionText: 'Leaks caused by our work are repaired for ten years.' }],
    more: 0,
    untrusted: false,
  },
  tool: {
    category: 'search',
    pages: 'sections',
    example: { id: 'doc_01k9zq4w0000000000000000aa' },
    untrusted: ['title', 'heading', 'sectionText'],
  },
  run: async ({ actor }, { id, skip }) => {
    const { contractorId } = actor
    const query = { contractorId, id, types: typesFor(actor), skip, limit: MOST_SECTIONS }
    const found = await readSections(await database(), query)
    if (!found) throw new ServiceError('not_found', 'There is no document with this id. Take ids from rag.search.')
    const { type, title, link, untrusted, total, sections } = found
    const told = fitting(sections)
    return {
      id,
      type: z.enum(DOCUMENT_TYPES).parse(type),
      title,
      link,
      sections: told.map(({ heading, text }) => ({ heading, sectionText: text })),
      more: Math.max(0, total - skip - told.length),
      untrusted,
    }
  },
})
