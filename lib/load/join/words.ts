import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'
import { plain } from '../columns'
import { DOCUMENT_TYPES, type DocumentType, documentOf, RECORDS_OF } from '../documents'
import { answerTo, wordKey } from '../questions'
import type { Mapping } from '../sources/mapping'

/** What a person answered for words that nobody knows, by {@link wordKey}. */
export type Words = Readonly<Record<string, string>>

/** Returns the document that the word of a row's type means: by an answer, by its source, or by all sources; undefined when nobody knows it. */
export function typeOf({ source, types }: Mapping, word: string, answers: Words): DocumentType | undefined {
  const key = plain(word)
  const answer = answerTo(answers, wordKey(source, types?.column ?? '', word))
  const answered = answer === 'ignore' ? 'none' : DOCUMENT_TYPES.find((type) => type === answer)
  if (answered) return answered
  const own = DOCUMENT_TYPES.find((type) => types?.words?.[type]?.some((each) => plain(each) === key))
  return own ?? documentOf(word)
}

/** The resources that a file has records of, beside those that it only mentions. */
export function ownOf({ fills, mentions = [], types }: Mapping): Set<string> {
  const filled = Object.keys(fills).filter((name) => !mentions.some((mentioned) => mentioned === name))
  const typed = DOCUMENT_TYPES.filter((type) => types?.words?.[type]).flatMap((type) => RECORDS_OF[type])
  return new Set([...filled, ...typed.filter((name) => fills[name] !== undefined)])
}

/** Returns the resources that a row has records of. @param own those of its file */
export function ownersOf(
  mapping: Mapping,
  own: ReadonlySet<string>,
  { type }: { type: DocumentType | undefined },
): readonly ResourceName[] {
  const all: readonly ResourceName[] = mapping.types ? (type ? RECORDS_OF[type] : []) : resourcesIn(own)
  return all.filter((name) => own.has(name))
}

const resourcesIn = (own: ReadonlySet<string>) => RESOURCE_NAMES.filter((name) => own.has(name))
