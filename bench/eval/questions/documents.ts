import { sql } from 'drizzle-orm'
import type { Question } from '../question'
import { subject } from './truths'

/** Questions that find text by word. */
export const documents: readonly Question[] = [
  {
    id: 'project-by-description',
    topic: 'documents',
    put: async (books) => {
      const { name = '', description } = await subject(
        books,
        sql`select p.name, p.description from projects p where p.contractor_id = ${books.contractorId} and length(p.description) > 60
          and (select count(*) from projects q where q.contractor_id = p.contractor_id and q.description = p.description) = 1 order by p.id limit 1`,
      )
      return {
        text: `Search the text of projects: which one says "${description}"?`,
        truth: { kind: 'text', said: [name] },
      }
    },
  },
  {
    id: 'document-that-says',
    topic: 'documents',
    put: async (books) => {
      const { title = '', words } = await subject(
        books,
        sql`select d.title, array_to_string((string_to_array(regexp_replace(c.text, '[^a-zA-Z ]+', ' ', 'g'), ' '))[2:9], ' ') as words
          from document_chunks c join documents d on d.number = c.document join search_shelves s on s.id = d.shelf_id
          where s.owner = ${books.contractorId} and s.type = 'document' and length(c.text) > 80 order by d.id limit 1`,
      )
      return {
        text: `Search our documents for "${words}". Which document is it in?`,
        truth: { kind: 'text', said: [title] },
      }
    },
  },
]
