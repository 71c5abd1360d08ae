import { type Actor, type PersonActor, signedInOf } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'

export const EXAMPLE_CONNECTION = 'grt_01k9zq2v6n8m4t5c3b7x1w0jd2'

/** The signed-in person, for one of their contractors. @throws ServiceError `forbidden` for one who acts for none */
export function memberOf(actor: Actor): PersonActor {
  const person = signedInOf(actor)
  if (person.contractorId === '') throw new ServiceError('forbidden', 'You are on no contractor’s team.')
  return person
}
