/** The records of the documentation, by their references in the files of the contractor who has them, and the ids shown there. */
export const SHOWN: Record<string, { customer: Shown; project: Shown }[]> = {
  'cumberland-roofing': [
    {
      customer: { id: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za', reference: 'C-9001' },
      project: { id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr', reference: 'P-26-9001' },
    },
    {
      customer: { id: 'cus_01k9zq2v6n8m4t5c3b7x1w0jd1', reference: 'C-9002' },
      project: { id: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2', reference: 'P-26-9002' },
    },
  ],
}

/** The document that the documentation shows, by the contractor who has it. */
export const SHOWN_DOCUMENT: Record<string, Shown> = {
  'cumberland-roofing': {
    id: 'doc_01k9zq4w0000000000000000aa',
    reference: 'cumberland-roofing/workmanship-warranty.md',
  },
}

type Shown = { id: string; reference: string }

/** The id of a shown project by its reference. */
export const shownProject = (slug: string, reference: string): string | undefined =>
  SHOWN[slug]?.find(({ project }) => project.reference === reference)?.project.id
