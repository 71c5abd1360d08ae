import { DOCUMENT_TYPES, type DocumentType } from '@/db/schema'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'

/** The scopes that a key needs to find documents of a type; a lead is a customer’s words and a project at once. */
const NEEDED: Record<DocumentType, readonly Scope[]> = {
  document: ['read:documents'],
  guide: ['read:documents'],
  project: ['read:projects'],
  lead: ['read:customers', 'read:projects'],
  permit: ['read:permits'],
  material: ['read:materials'],
}

/** The types of documents of an office's own that an actor may find: all but the guides to this service, which every office has. */
export const ownTypesFor = (actor: Actor): DocumentType[] => typesFor(actor).filter((type) => type !== 'guide')

/** The types of documents an actor may find and read. */
export const typesFor = ({ scopes }: Actor): DocumentType[] =>
  DOCUMENT_TYPES.filter((type) => NEEDED[type].every((scope) => scopes.has(scope)))
