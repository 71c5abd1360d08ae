import * as z from 'zod'
import type { SuccessAnswer } from './define'

/** The maximum size of a lead in bytes, by the specification's decisions. */
export const MAX_BYTES = 64 * 1024

/** A project was created. */
export const Created = z.object({
  success: z.literal(true),
  projectId: z.string(),
  jobNumber: z.int().describe('Counts up per contractor'),
  message: z.string(),
})
/** The lead was received before. */
export const Duplicate = z.object({
  success: z.literal(true),
  projectId: z.string(),
  duplicate: z.literal(true),
  message: z.string(),
})
/** The sender’s own test. */
export const Test = z.object({ success: z.literal(true), test: z.literal(true), message: z.string() })
/** An event that is no lead. */
export const Ignored = z.object({ success: z.literal(true), ignored: z.literal(true), message: z.string() })

export const CREATED = {
  success: true as const,
  projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
  jobNumber: 118,
  message: 'Lead received; a project was created.',
}
const DUPLICATE = {
  success: true as const,
  projectId: CREATED.projectId,
  duplicate: true as const,
  message: 'This lead was already received; nothing was created.',
}

export const duplicateAnswer: SuccessAnswer = {
  description: 'Received before: nothing was created, the project is the first one’s',
  schema: Duplicate,
  example: DUPLICATE,
}
