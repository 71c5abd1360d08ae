import { all, any, atMost, is, isNot, lessThan, moreThan } from '../conditions'
import { rulesFor, type State } from '../define'

const state = rulesFor('ca', 'confirmed_in_source')

const EXEMPT = { determination: 'likely_not_required', source: 'rocklin' } as const
const REQUIRED = { determination: 'likely_required', source: 'rocklin' } as const

/** The rules of California: one residential code (CRC); cities amend its administrative chapter, mostly to exempt less. */
export const CALIFORNIA: State = {
  id: 'us-ca',
  name: 'California',
  state: 'CA',
  binds: true,
  except: [],
  edition:
    'California Residential Code (CRC), Chapter 1, Division II; the edition of the pages read is not stated on them',
  editionSource: 'rocklin',
  office: 'the building department of the city or county',
  notes: [
    'Cities amend R105.2: some add a height or a distance for sheds, and Chino Hills exempts fences up to 6 ft only.',
  ],
  rules: [
    ...state('accessory_structure', [
      {
        ...EXEMPT,
        id: 'small',
        when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 120), isNot('stormShelter')),
        because:
          'A detached shed, playhouse or the like of one story and up to 120 ft2 is exempt. Wiring or plumbing in it is not.',
        section: 'CRC R105.2, building, item 1',
      },
      {
        ...REQUIRED,
        id: 'other',
        because: 'California exempts detached structures up to 120 ft2 only, not up to the 200 ft2 of the model code.',
        section: 'CRC R105.1, R105.2 item 1',
      },
    ]),
    ...state('fence', [
      {
        ...EXEMPT,
        id: 'low',
        when: atMost('heightFt', 6),
        because:
          'Fences of up to 6 ft are exempt in the state code and in the cities that were read; pool barriers have rules of their own.',
        section: 'CRC R105.2, building, fences',
      },
      {
        determination: 'ask_jurisdiction',
        id: 'differs',
        when: atMost('heightFt', 7),
        because: 'The state code exempts fences of up to 7 ft; cities such as Chino Hills only up to 6 ft.',
        section: 'CRC R105.2, fences: 6 ft or 7 ft',
        source: 'chinoHills',
      },
      {
        ...REQUIRED,
        id: 'high',
        because: 'A fence of more than 7 ft is not among the exceptions.',
        section: 'CRC R105.1',
      },
    ]),
    ...state('retaining_wall', [
      {
        ...REQUIRED,
        id: 'high',
        when: any(moreThan('heightFt', 4), is('surcharge')),
        because: 'The exception ends at 4 ft from the bottom of the footing, and where the wall carries a surcharge.',
        section: 'CRC R105.1, R105.2',
      },
      {
        ...EXEMPT,
        id: 'low',
        because: 'Retaining walls of up to 4 ft from the bottom of the footing without a surcharge are exempt.',
        section: 'CRC R105.2, building, retaining walls',
      },
    ]),
    ...state('deck', [
      {
        determination: 'ask_jurisdiction',
        id: 'low',
        when: atMost('heightAboveGradeIn', 30),
        because:
          'Cities differ on low decks: San Mateo exempts up to 18 in above the ground, the model code up to 30 in and 200 ft2, detached.',
        section: 'What is exempt, item 7: 18 in or 30 in',
        source: 'sanMateo',
      },
    ]),
    ...state('pool', [
      {
        ...EXEMPT,
        id: 'shallow',
        when: all(is('prefabricated'), lessThan('depthIn', 24)),
        because: 'A prefabricated pool above the ground, less than 24 in deep and up to 5,000 gallons, is exempt.',
        section: 'CRC R105.2, building, prefabricated pools',
      },
      {
        determination: 'ask_jurisdiction',
        id: 'prefabricated',
        when: is('prefabricated'),
        because:
          'Cities differ on deeper pools above the ground: the state code stops at 24 in, San Mateo exempts any up to 5,000 gallons.',
        section: 'What is exempt, item 11: 24 in or 5,000 gallons',
        source: 'sanMateo',
      },
    ]),
    ...state('flatwork', [
      {
        ...EXEMPT,
        id: 'low',
        when: all(atMost('heightAboveGradeIn', 30), isNot('inRightOfWay')),
        because: 'Sidewalks and driveways not more than 30 in above the ground and over no basement are exempt.',
        section: 'CRC R105.2, building, sidewalks and driveways',
      },
      {
        ...REQUIRED,
        id: 'high',
        when: moreThan('heightAboveGradeIn', 30),
        because: 'Sidewalks and driveways are exempt only up to 30 in above the ground.',
        section: 'CRC R105.1, R105.2',
      },
    ]),
  ],
}
