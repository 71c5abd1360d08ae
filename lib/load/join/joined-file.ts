import type { Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import type { Notation } from '../values'
import type { LinesApart } from './lines-apart'
import type { Words } from './words'

/** A file that was recognized or mapped, and what the whole of it shows. */
export type JoinedFile = {
  mapping: Mapping
  table: Table
  notation: Notation
  /** What a person answered for its words. */
  words?: Words
  /** Rows of documents that stand apart. */
  apart?: LinesApart
  /** What tells customers of one name apart, by that name. */
  namesakes?: ReadonlyMap<string, readonly string[]>
  /** The references of stored customers that have other names in this file, by their ids there. */
  storedAs?: ReadonlyMap<string, string>
}
