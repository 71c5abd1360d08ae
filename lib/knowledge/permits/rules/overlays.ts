import type { Determination } from './define'
import type { Facts } from './facts'
import { type WorkType, workType } from './work-types'

const HISTORIC = 'a landmark or in a historic or conservation district'
const FLOOD = 'in a mapped flood hazard area'

/** Reports whether work may be the barrier of a pool, which the exemption of fences by their height does not settle anywhere. */
export const mayBePoolBarrier = (work: WorkType): boolean => work === 'fence'

/**
 * Returns the overlays on top of the rules: historic districts concern what is visible from outside, flood hazard concerns what
 * stands on the ground. When such a fact is true, another approval is likely, so the answer no longer says “not required”. When it
 * is unknown, a caveat says what to check. A fence that is a pool's barrier is no longer “not required” either.
 */
export function overlaysOn(
  work: WorkType,
  facts: Facts,
  determination: Determination,
): {
  determination: Determination
  caveats: string[]
} {
  const { outside, ground } = workType(work)
  const caveats: string[] = []
  let applies = false
  const lay = (value: Facts[keyof Facts], where: string, approval: string) => {
    if (value === false) return
    applies ||= value === true
    caveats.push(
      value === true
        ? `The property is ${where}: ${approval} is likely needed too, and before the building permit.`
        : `If the property is ${where}, ${approval} may be needed too. It was not said whether it is.`,
    )
  }
  if (outside) lay(facts.historicDistrict, HISTORIC, 'an approval of the preservation office')
  if (ground) lay(facts.floodZone, FLOOD, 'a floodplain approval')
  if (mayBePoolBarrier(work) && facts.poolBarrier === true) {
    applies = true
    caveats.push('The barrier of a pool has rules of its own and is inspected with the pool, whatever its height.')
  }
  if (facts.emergency === true)
    caveats.push(
      'In an emergency equipment may be repaired or replaced at once; the application goes to the office on its next working day (R105.2.1).',
    )
  if (facts.inRightOfWay === true)
    caveats.push('Work in the public right of way takes a permit of the street department.')
  return {
    determination: applies && determination === 'likely_not_required' ? 'ask_jurisdiction' : determination,
    caveats,
  }
}
