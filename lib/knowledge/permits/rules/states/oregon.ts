import { all, any, atMost, is, isNot } from '../conditions'
import { rulesFor, type State } from '../define'

const state = rulesFor('or', 'confirmed_in_source')

const EXEMPT = { determination: 'likely_not_required' } as const
const REQUIRED = { determination: 'likely_required' } as const
const STATUTE = { source: 'ors455310' } as const

/** The rules of Oregon: one residential code for the whole state, and a statute that keeps repairs and small structures free of permits. */
export const OREGON: State = {
  id: 'us-or',
  name: 'Oregon',
  state: 'OR',
  binds: true,
  except: [],
  edition: '2017 ORSC, as a county republished it; newer editions were not read',
  editionSource: 'laneCounty',
  office: 'the building department of the city or county',
  notes: [
    'ORS 455.310(2) has the state keep a list of exempt items; R105.2 of the Oregon Residential Specialty Code is that list.',
    'Older city pages give lower bounds (fences 6 ft, sheds 10 ft high); the code as republished in 2017 gives 7 ft and 15 ft.',
  ],
  rules: [
    ...state('reroof', [
      {
        ...REQUIRED,
        id: 'sheathing',
        when: any(is('deckingReplaced'), is('structural')),
        because:
          'Oregon cities ask a permit where the old roofing comes off and new sheathing goes on, or structure changes.',
        section: 'Building permit, list',
        source: 'woodburn',
      },
      {
        ...EXEMPT,
        ...STATUTE,
        id: 'covering',
        because:
          'Replacing or repairing the roofing of a single-family residence is on the statute’s list of exempt items.',
        section: 'ORS 455.310(2)',
      },
    ]),
    ...state('siding', [
      {
        ...EXEMPT,
        id: 'any',
        when: isNot('structural'),
        because:
          'Replacing or repairing siding that need not be fire-resistive is exempt; a wall under 3 ft from the lot line may need to be.',
        section: 'ORS 455.310(2); ORSC R105.2',
        source: 'ors455310',
      },
    ]),
    ...state('window_door', [
      {
        ...EXEMPT,
        ...STATUTE,
        id: 'same',
        when: all(isNot('openingChanged'), isNot('structural')),
        because: 'Replacing doors and windows without touching structure is on the statute’s list of exempt items.',
        section: 'ORS 455.310(2)',
      },
    ]),
    ...state('patio_cover', [
      {
        ...EXEMPT,
        id: 'small',
        when: all(atMost('areaSqFt', 200), is('attached')),
        because: 'Patio and porch covers of up to 200 ft2 that an outside wall of the building carries are exempt.',
        section: 'ORSC R105.2, patio and porch covers',
        source: 'lakeOswego',
      },
    ]),
    ...state('deck', [
      {
        ...EXEMPT,
        id: 'low',
        when: atMost('heightAboveGradeIn', 30),
        because: 'Porches and decks whose floor is not more than 30 in above the ground are exempt.',
        section: 'ORSC R105.2, porches and decks',
        source: 'lakeOswego',
      },
      {
        ...REQUIRED,
        id: 'high',
        because: 'Oregon cities ask a permit for a deck of more than 30 in above the ground.',
        section: 'Building permit, list',
        source: 'woodburn',
      },
    ]),
    ...state('fence', [
      {
        ...REQUIRED,
        id: 'pool',
        when: is('poolBarrier'),
        because: 'The exception for fences leaves out barriers around swimming pools.',
        section: 'ORSC R105.2, fences',
        source: 'laneCounty',
      },
      {
        ...EXEMPT,
        id: 'low',
        when: atMost('heightFt', 7),
        because: 'Fences of up to 7 ft are exempt; zoning often allows less.',
        section: 'ORSC R105.2, fences',
        source: 'laneCounty',
      },
    ]),
    ...state('accessory_structure', [
      {
        ...EXEMPT,
        id: 'small',
        when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 200), atMost('heightFt', 15)),
        because:
          'A detached structure nobody lives in, of one story, up to 200 ft2 and 15 ft to the middle of its roof, is exempt.',
        section: 'ORSC R105.2, accessory structures',
        source: 'laneCounty',
      },
      {
        ...REQUIRED,
        id: 'other',
        because: 'Oregon cities ask a permit for a carport, garage or shed of more than 200 ft2 or 15 ft.',
        section: 'Building permit, list',
        source: 'woodburn',
      },
    ]),
    ...state('pool', [
      {
        ...EXEMPT,
        id: 'above-ground',
        when: is('prefabricated'),
        because:
          'A prefabricated pool whose walls stand entirely above the ground is exempt. Its barrier is not, and wiring takes its own permit.',
        section: 'ORSC R105.2, prefabricated pools',
        source: 'lakeOswego',
      },
    ]),
    ...state('interior_remodel', [
      {
        determination: 'ask_jurisdiction',
        id: 'partitions',
        when: all(is('wallsChanged'), isNot('structural'), isNot('tradeWork')),
        because:
          'The statute’s list exempts partitions that carry nothing; cities such as Silverton ask a permit for any wall.',
        section: 'What structural work can I do without a permit?',
        source: 'silverton',
      },
    ]),
    ...state('gas_line', [
      {
        ...REQUIRED,
        id: 'mechanical',
        when: isNot('minorPartOnly'),
        because:
          'Gas piping between the meter and an appliance is mechanical work there and takes a mechanical permit.',
        section: 'Mechanical permit, list',
        source: 'woodburn',
      },
    ]),
    ...state('fireplace', [
      {
        ...REQUIRED,
        id: 'stove',
        when: isNot('minorPartOnly'),
        because: 'A wood stove, fireplace insert, pellet stove or its vent takes a mechanical permit.',
        section: 'Mechanical permit, list',
        source: 'woodburn',
      },
    ]),
  ],
}
