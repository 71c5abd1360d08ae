import * as z from 'zod'

type Fact = {
  unit: 'ft2' | 'ft' | 'in' | 'V' | 'W' | 'stories' | 'yd3' | null
  of: 'whole' | 'piece'
  question: string
}

const yesNo = (of: Fact['of'], question: string) => ({ unit: null, of, question }) satisfies Fact
const measure = (unit: NonNullable<Fact['unit']>, question: string) => ({ unit, of: 'piece', question }) satisfies Fact

/**
 * The facts that rules use. `unit` is the unit of a number; a fact without one is yes or no. A fact `of` the whole applies to all
 * the work. A fact of a piece (how high is the fence?) belongs to one kind of work and never applies to another.
 */
export const FACTS = {
  structural: yesNo(
    'whole',
    'Is anything that carries load (wall, beam, rafter, truss, joist, footing) cut, moved or replaced?',
  ),
  wallsChanged: yesNo(
    'whole',
    'Are walls or partitions added, moved or taken out, or is a way out of the house changed?',
  ),
  tradeWork: yesNo('whole', 'Is wiring, piping, gas, or heating and cooling equipment added, moved or replaced?'),
  historicDistrict: yesNo('whole', 'Is the property a landmark, or in a historic or conservation district?'),
  floodZone: yesNo('whole', 'Is the site in a mapped flood hazard area?'),
  inRightOfWay: yesNo('whole', 'Does any of the work lie in the public right of way (street, sidewalk, curb cut)?'),
  emergency: yesNo('whole', 'Is it an emergency, so that equipment is repaired or replaced before an office is open?'),
  areaSqFt: measure('ft2', 'How large is its floor, by the outside measures?'),
  heightFt: measure(
    'ft',
    'How high is it at the highest point? A retaining wall counts from the bottom of its footing, a shed to the middle of its roof.',
  ),
  heightAboveGradeIn: measure('in', 'How far is its surface above the ground beside it, at the highest point?'),
  depthIn: measure('in', 'How deep is the water it can hold?'),
  stories: measure('stories', 'How many stories does it have?'),
  volts: measure('V', 'At what voltage does the wiring run?'),
  watts: measure('W', 'How much power can the circuit supply?'),
  cubicYards: measure('yd3', 'How much earth is cut and filled?'),
  attached: yesNo('piece', 'Is it attached to the house?'),
  servesExitDoor: yesNo('piece', 'Does the required exit door of the house lead onto it?'),
  surcharge: yesNo('piece', 'Does the wall hold up more than level earth: a slope, a driveway, a building?'),
  stormShelter: yesNo('piece', 'Is it a storm shelter?'),
  prefabricated: yesNo('piece', 'Is it bought ready made and set up above the ground?'),
  poolBarrier: yesNo('piece', 'Is it the barrier around a swimming pool?'),
  repairOnly: yesNo('piece', 'Are only damaged spots repaired, and not the whole replaced?'),
  deckingReplaced: yesNo('piece', 'Is roof sheathing (decking) replaced?'),
  openingChanged: yesNo('piece', 'Is an opening in the wall cut, or made larger or smaller?'),
  likeForLike: yesNo('piece', 'Is it replaced by the same size and kind in the same place?'),
  earlierPermit: yesNo('piece', 'Was the one that is replaced built with a permit?'),
  minorPartOnly: yesNo(
    'piece',
    'Is only a minor part (of wiring: a receptacle, switch or lamp) replaced, and not the appliance, circuit or wiring?',
  ),
  portable: yesNo('piece', 'Is it portable, only plugged into what is there?'),
  overcurrentDeviceOnly: yesNo(
    'piece',
    'Are only breakers or fuses replaced by ones of the same rating in the same place?',
  ),
  stoppageOnly: yesNo('piece', 'Is only a stoppage cleared or a leak stopped, with no pipe cut or replaced?'),
  doorsOnly: yesNo('piece', 'Is it doors alone, with no window?'),
  pipesRearranged: yesNo('piece', 'Are pipes, valves or fixtures added or moved?'),
} satisfies Record<string, Fact>

export type FactName = keyof typeof FACTS
/** The known facts about the work. A missing name means unknown. */
export type Facts = Partial<Record<FactName, number | boolean>>

const isFact = (name: string): name is FactName => Object.hasOwn(FACTS, name)
export const FACT_NAMES = Object.keys(FACTS).filter(isFact)

const schemaOf = ({ unit, question }: Fact) =>
  (unit === null ? z.boolean() : z.number().min(0).max(1_000_000)).describe(
    unit === null ? question : `${question} (${unit})`,
  )

/** Facts as an operation accepts them: all optional, and unknown names are rejected. */
export const FactsInput = z
  .object(Object.fromEntries(FACT_NAMES.map((name) => [name, schemaOf(FACTS[name]).optional()])))
  .strict()

/** A missing fact, as an answer asks for it. */
export type MissingFact = { fact: FactName; type: 'number' | 'yes_or_no'; unit: string | null; question: string }

export function askFor(fact: FactName): MissingFact {
  const { unit, question } = FACTS[fact]
  return { fact, type: unit === null ? 'yes_or_no' : 'number', unit, question }
}
