/** A public field and its column, by their Postgres names. Without a value it is left out of its record, as its type promises. */
export type ListColumn = {
  field: string
  column: string
  kind: 'text' | 'number' | 'instant' | 'json'
  /** True when it may lack a value. */
  nullable: boolean
  /** True when it is selected, as a page's place among others is, and not shown. */
  hidden?: true
}

/** The data Postgres needs to serve a resource: plain data, built once from the resource's definition. */
export type ListSource = {
  table: string
  /** The name that tells sources of one table apart that show different columns. */
  variant?: string
  /** The first one always has a value. */
  columns: ListColumn[]
  /** A constant SQL condition that selects the resource's rows in its table. */
  only?: string
  /** The column that holds when a time-dependent status next changes, if the resource has one. */
  turnsAt?: string
  /** True when a page says which {@link FEED_STATE} of the contractor it belongs to, instead of its version. */
  tellsState?: true
}

/**
 * An active filter: its column, operator and value; `in` takes values with commas, `from day` and `to day` one of the contractor's days, `of
 * source` what the sender of a lead calls its source. `and` is a constant condition beside it.
 */
export type Filter = {
  column: string
  operator: '=' | 'in' | '>' | '>=' | '<=' | '<' | 'from day' | 'to day' | 'of source'
  value: string
  and?: string
}

/** An order other than that of the last change: by a column of an SQL type, then by id. Rows without a value are left out. */
export type Sort = { column: string; type: 'numeric' | 'timestamptz' | 'date'; down: boolean }

/**
 * A position in a list: the value it is sorted by, as text, and an id. The next page begins after it. Without an id, the next page
 * begins after every item of that moment.
 */
export type Position = { at: string; id?: string | undefined }

export type PageQuery = {
  contractorId: string
  limit: number
  after: Position | undefined
  filters: Filter[]
  sort?: Sort | undefined
}

/**
 * A page as Postgres wrote it: `items` is the text of a JSON array of `count` records, and `last` is set when more items follow. `version`
 * is a number for which records these are and when each was last changed, 0 where the source tells a state; `state` is null where it does not.
 */
export type Page = {
  items: string
  count: number
  version: string
  last: { at: string; id: string } | undefined
  state: string | null
}
