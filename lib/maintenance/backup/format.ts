import * as z from 'zod'

/**
 * A backup is gzip-compressed text, one JSON value per line: the header; for each table an opening line, its rows (arrays of the
 * columns' texts), and a closing line with their number and SHA-256; at the end a trailer with the SHA-256 of every byte before it.
 */
export const FORMAT = 1

const Table = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  key: z.array(z.string()),
  identity: z.string().nullable(),
})

export const Header = z.object({
  plumbline: z.literal('backup'),
  format: z.literal(FORMAT),
  version: z.string(),
  // Null where the build could not know it; a file of an older version has none.
  commit: z.string().nullish(),
  at: z.iso.datetime(),
  driver: z.string(),
  level: z.object({ migrations: z.number(), last: z.string() }),
  tables: z.array(Table),
})
export type Header = z.infer<typeof Header>

export const Opening = z.object({ table: z.string() })

export const Closing = z.object({
  end: z.string(),
  rows: z.number(),
  sha256: z.string(),
  sequence: z.object({ last: z.string(), given: z.boolean() }).optional(),
})
export type Closing = z.infer<typeof Closing>

export const Trailer = z.object({ trailer: z.literal(true), rows: z.number(), sha256: z.string() })
export type Trailer = z.infer<typeof Trailer>

/** The contents written or read: the header, the contents of each table, and the trailer. */
export type Contents = { header: Header; tables: Closing[]; trailer: Trailer }
