import type { Question } from '../question'
import { billing } from './billing'
import { documents } from './documents'
import { materials, permits } from './knowledge'
import { leads } from './leads'
import { margins } from './margins'
import { misleading } from './misleading'
import { estimates, payments } from './money'
import { projects } from './projects'
import { receivables } from './receivables'
import { schedule } from './schedule'
import { writes } from './writes'

/** The questions, by topic; those that write come last, because what they write is in the books from then on. */
export const questions: readonly Question[] = [
  ...receivables,
  ...billing,
  ...leads,
  ...schedule,
  ...projects,
  ...estimates,
  ...payments,
  ...margins,
  ...materials,
  ...permits,
  ...documents,
  ...misleading,
  ...writes,
]
