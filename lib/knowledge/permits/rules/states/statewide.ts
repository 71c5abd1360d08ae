import { all, atMost, is, isNot, lessThan } from '../conditions'
import { rulesFor, type State } from '../define'

const florida = rulesFor('fl', 'confirmed_in_source')
const washington = rulesFor('wa', 'confirmed_in_source')

const ASK = { determination: 'ask_jurisdiction', section: 'FBC 105.1, 105.2', source: 'orangeCountyFl' } as const

/** The rules of Florida: one building code for the whole state. Its list of exempt work has no small structures; counties add some. */
export const FLORIDA: State = {
  id: 'us-fl',
  name: 'Florida',
  state: 'FL',
  binds: true,
  except: [],
  edition: 'Florida Building Code (FBC) 105.1, as Orange County reads it',
  editionSource: 'orangeCountyFl',
  office: 'the building division of the city or county',
  notes: [
    'Orange County limits work without a permit to minor repairs: paint, floor covering, cabinets in place, plugged-in equipment. Exceptions of the model code for small structures were not found in the state’s code.',
  ],
  rules: [
    ...florida('accessory_structure', [
      {
        ...ASK,
        id: 'small',
        when: all(isNot('attached'), atMost('areaSqFt', 200)),
        because:
          'The model code exempts up to 200 ft2; the Florida code requires a permit to construct any structure, and counties differ.',
      },
    ]),
    ...florida('fence', [
      {
        ...ASK,
        id: 'low',
        when: atMost('heightFt', 7),
        because:
          'The model code exempts up to 7 ft; fences are not on Florida’s list of exempt work, and counties differ.',
      },
    ]),
    ...florida('deck', [
      {
        ...ASK,
        id: 'low',
        when: atMost('heightAboveGradeIn', 30),
        because:
          'The model code exempts low detached decks up to 200 ft2; Florida’s list has none, and counties differ.',
      },
    ]),
    ...florida('retaining_wall', [
      {
        ...ASK,
        id: 'low',
        when: all(atMost('heightFt', 4), isNot('surcharge')),
        because: 'The model code exempts walls up to 4 ft; Florida’s list has none, and counties differ.',
      },
    ]),
    ...florida('pool', [
      {
        ...ASK,
        id: 'shallow',
        when: all(is('prefabricated'), lessThan('depthIn', 24)),
        because:
          'The model code exempts prefabricated pools under 24 in; Florida’s list has none, and counties differ.',
      },
    ]),
    ...florida('flatwork', [
      {
        ...ASK,
        id: 'any',
        because: 'The model code exempts walks and driveways; Florida’s list has none, and counties differ.',
      },
    ]),
    ...florida('finish_work', [
      {
        id: 'finishes',
        when: all(isNot('structural'), isNot('wallsChanged'), isNot('tradeWork')),
        determination: 'likely_not_required',
        because: 'Paint, floor covering, and cabinets and counters in the same place need no permit in Orange County.',
        section: 'Work types that do not require a permit',
        source: 'orangeCountyFl',
      },
    ]),
  ],
}

/** The rules of Washington: one residential code; cities amend its administrative chapter. Wiring is the state's own. */
export const WASHINGTON: State = {
  id: 'us-wa',
  name: 'Washington',
  state: 'WA',
  binds: true,
  except: [],
  edition: '2021 IRC as amended (chapter 51-51 WAC)',
  editionSource: 'washingtonEdition',
  office: 'the building department of the city or county; for wiring the Department of Labor & Industries or the city',
  notes: [
    'Cities set their own bounds: sheds 120 ft2 (Washougal) or 200 ft2 (Whatcom County), fences 42 in (Battle Ground) to 7 ft.',
  ],
  rules: [
    ...washington('fence', [
      {
        id: 'differs',
        when: atMost('heightFt', 7),
        determination: 'ask_jurisdiction',
        because:
          'Places differ: Battle Ground asks a permit from 42 in, Washougal from 6 ft, Whatcom County from 7 ft.',
        section: 'When is a permit required: 42 in, 6 ft or 7 ft',
        source: 'battleGround',
      },
    ]),
    ...washington('reroof', [
      {
        id: 'whole',
        when: isNot('repairOnly'),
        determination: 'ask_jurisdiction',
        because:
          'Battle Ground lists re-roofing among what takes a permit; the state’s exceptions do not name it, and other cities were not read.',
        section: 'When is a permit required, list',
        source: 'battleGround',
      },
    ]),
    ...washington('pool', [
      {
        id: 'shallow',
        when: all(is('prefabricated'), lessThan('depthIn', 24)),
        determination: 'likely_not_required',
        because: 'Prefabricated pools above the ground under 24 in and 5,000 gallons are exempt.',
        section: 'IRC 105.2 as the county lists it',
        source: 'whatcom',
      },
    ]),
    ...washington('circuits', [
      {
        id: 'like-in-kind',
        when: all(is('likeForLike'), is('minorPartOnly')),
        determination: 'likely_not_required',
        because:
          'Up to five receptacles, switches, dimmers or thermostats may be replaced by like ones without an electrical permit; who may do the work is limited.',
        section: 'WAC 296-46B, work without a permit',
        source: 'washingtonElectrical',
      },
    ]),
  ],
}
