import { all, atMost, is, isNot, lessThan, moreThan } from '../conditions'
import { rulesFor, type State } from '../define'

const state = rulesFor('ny', 'confirmed_in_source')

const EXEMPT = { determination: 'likely_not_required', source: 'nycrr1203' } as const
const REQUIRED = { determination: 'likely_required', source: 'nycrr1203' } as const
const REPAIRS = {
  determination: 'ask_jurisdiction',
  section: '19 NYCRR 1202.3(b)(8), 1203.3(a)(1), repairs',
  source: 'nycrr1202',
} as const

/** The rules of New York outside of New York City: the state says which work a city or town may leave without a permit. */
export const NEW_YORK: State = {
  id: 'us-ny',
  name: 'New York',
  state: 'NY',
  binds: true,
  except: [
    'new york',
    'new york city',
    'nyc',
    'manhattan',
    'brooklyn',
    'queens',
    'bronx',
    'the bronx',
    'staten island',
  ],
  edition: '19 NYCRR Part 1203 (Uniform Code, administration)',
  editionSource: 'nycrr1203',
  office: 'the code enforcement office of the city, town or village',
  notes: [
    'The regulation names the most that a local law may exempt; a local law may exempt less. New York City has a code of its own.',
  ],
  rules: [
    ...state('accessory_structure', [
      {
        ...EXEMPT,
        id: 'small',
        when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 144)),
        because:
          'A detached shed or playhouse of one story and up to 144 ft2 may be left without a permit, and local laws do so.',
        section: '19 NYCRR 1203.3(a)(1)(i)',
      },
      {
        ...REQUIRED,
        id: 'other',
        because: 'No local law may exempt a detached structure of more than 144 ft2 or of more than one story.',
        section: '19 NYCRR 1203.3(a)(1)(i)',
      },
    ]),
    ...state('fence', [
      {
        ...REQUIRED,
        id: 'pool',
        when: is('poolBarrier'),
        because: 'The exception for fences leaves out those that are part of an enclosure of a swimming pool.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
      {
        id: 'high',
        when: moreThan('heightFt', 6),
        determination: 'ask_jurisdiction',
        because:
          'The regulation names no height, but is only the most that a local law may exempt; whether a fence of more than 6 ft is exempt, the office says.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
      {
        ...EXEMPT,
        id: 'other',
        because:
          'Fences that are no part of a pool’s enclosure may be left without a permit; zoning limits the height.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
    ]),
    ...state('pool', [
      {
        ...EXEMPT,
        id: 'shallow',
        when: all(is('prefabricated'), lessThan('depthIn', 24)),
        because:
          'A pool for less than 24 in of water that stands entirely above the ground may be left without a permit.',
        section: '19 NYCRR 1203.3(a)(1)(iii)',
      },
      {
        ...REQUIRED,
        id: 'other',
        because: 'No local law may exempt a pool of 24 in of water or more, or one in the ground.',
        section: '19 NYCRR 1203.3(a)(1)(iii)',
      },
    ]),
    ...state('retaining_wall', [
      {
        ...REQUIRED,
        id: 'surcharge',
        when: is('surcharge'),
        because: 'The exception for retaining walls ends where the wall carries a surcharge.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
      {
        id: 'high',
        when: moreThan('heightFt', 4),
        determination: 'ask_jurisdiction',
        because:
          'The regulation names no height, but is only the most that a local law may exempt; whether a wall of more than 4 ft is exempt, the office says.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
      {
        ...EXEMPT,
        id: 'other',
        because: 'Retaining walls without a surcharge may be left without a permit by a local law.',
        section: '19 NYCRR 1203.3(a)(1)',
        source: 'nyLocalLaw',
      },
    ]),
    ...state('reroof', [
      {
        ...REPAIRS,
        id: 'whole',
        when: all(isNot('repairOnly'), isNot('structural')),
        because:
          'Repairs that leave structure, exits and fire protection alone are exempt; whether a whole new covering is one, the office says.',
      },
    ]),
    ...state('hvac', [
      {
        ...REPAIRS,
        id: 'same',
        when: is('likeForLike'),
        because:
          'Replacing equipment without altering its listing may be exempt; many offices ask a permit for heating equipment all the same.',
        section: '19 NYCRR 1202.3(b)(7)',
      },
    ]),
    ...state('water_heater', [
      {
        ...REPAIRS,
        id: 'same',
        when: is('likeForLike'),
        because:
          'Replacing equipment without altering its listing may be exempt; the office says whether a water heater is.',
        section: '19 NYCRR 1202.3(b)(7)',
      },
    ]),
  ],
}
