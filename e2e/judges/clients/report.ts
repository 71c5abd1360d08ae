/** The place where a client works, and the keys it signs in with. */
export type Place = { api: string; key: string; leadKey: string; lead: string }

/** The actions of a client, as far as its types let it: the same for each generator. */
export type Report = {
  /** Items of each list. */
  counts: (number | undefined)[]
  /** Items of the second page of invoices, and whether none of them was on the first. */
  next: { items: number | undefined; others: boolean }
  /** True when a single invoice is the one of the list. */
  same: boolean
  /** The codes of errors: a record that is not there, a key that is not valid. */
  codes: (string | undefined)[]
  /** A lead, sent twice. */
  leads: { status: number; success: boolean | undefined }[]
}

/** The lead that every client sends. */
export const leadOf = (externalId: string) => ({ firstName: 'Ana', lastName: 'López', email: 'ana@example.com', externalId })
