import { all, atMost, is, isNot, lessThan, moreThan } from '../conditions'
import { type Jurisdiction, rulesFor } from '../define'

const city = rulesFor('springfield-tn', 'confirmed_in_source')

const LIST = { source: 'springfield', section: 'Do I need a Permit, list' } as const
const REQUIRED = { ...LIST, determination: 'likely_required' } as const
const EXEMPT = { ...LIST, determination: 'likely_not_required' } as const

/** The rules of Springfield, Tennessee: a short list of what needs a permit and what does not. */
export const SPRINGFIELD_TN: Jurisdiction = {
  id: 'us-tn-springfield',
  name: 'Springfield, Tennessee',
  state: 'TN',
  places: ['springfield'],
  isMeantAlone: false,
  edition: '2021 IRC (which edition the city adopted was not confirmed)',
  editionSource: 'ircExempt',
  office: 'City of Springfield Building & Codes, 615-382-2200',
  notes: ['The city calls its list not exhaustive.'],
  rules: [
    ...city('addition', [{ ...REQUIRED, id: 'any', because: 'The city lists additions among what takes a permit.' }]),
    ...city('interior_remodel', [
      {
        ...REQUIRED,
        id: 'walls',
        when: is('wallsChanged'),
        because: 'The city lists changes of walls, rooms and exits among what takes a permit.',
      },
    ]),
    ...city('reroof', [
      {
        ...REQUIRED,
        id: 'covering',
        when: isNot('repairOnly'),
        because: 'The city lists replacing shingles or another roof covering among what takes a permit.',
      },
    ]),
    ...city('window_door', [
      {
        ...REQUIRED,
        id: 'windows',
        when: isNot('doorsOnly'),
        because: 'The city lists replacing windows among what takes a permit; it does not name doors.',
      },
    ]),
    ...city('hvac', [
      {
        ...REQUIRED,
        id: 'system',
        when: all(isNot('minorPartOnly'), isNot('portable')),
        because:
          'The city lists replacing heating and cooling systems and gas-fired appliances among what takes a permit.',
      },
    ]),
    ...city('accessory_structure', [
      {
        ...REQUIRED,
        id: 'large',
        when: moreThan('areaSqFt', 200),
        because: 'The city lists garages and accessory buildings of more than 200 ft2 among what takes a permit.',
      },
      {
        ...EXEMPT,
        id: 'small',
        when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 200), isNot('stormShelter')),
        because: 'The city lists detached sheds and playhouses of one story and up to 200 ft2 among what takes none.',
      },
    ]),
    ...city('deck', [
      {
        ...REQUIRED,
        id: 'high',
        when: moreThan('heightAboveGradeIn', 30),
        because: 'The city lists decks of more than 30 in above the ground among what takes a permit.',
      },
    ]),
    ...city('pool', [
      {
        ...EXEMPT,
        id: 'shallow',
        when: all(is('prefabricated'), lessThan('depthIn', 24)),
        because: 'The city lists prefabricated pools above the ground, less than 24 in deep, among what takes none.',
      },
      { ...REQUIRED, id: 'other', because: 'The city lists installing a pool among what takes a permit.' },
    ]),
    ...city('plumbing_fixture', [
      {
        ...REQUIRED,
        id: 'moved',
        when: is('pipesRearranged'),
        because: 'The city lists adding or moving plumbing and gas piping among what takes a permit.',
      },
    ]),
    ...city('gas_line', [
      {
        ...REQUIRED,
        id: 'piping',
        when: isNot('minorPartOnly'),
        because: 'The city lists adding or moving gas piping among what takes a permit.',
      },
    ]),
    ...city('fence', [
      {
        ...EXEMPT,
        id: 'low',
        when: atMost('heightFt', 7),
        because: 'The city lists fences of up to 7 ft among what takes none.',
      },
    ]),
    ...city('retaining_wall', [
      {
        ...EXEMPT,
        id: 'low',
        when: all(atMost('heightFt', 4), isNot('surcharge')),
        because:
          'The city lists retaining walls of up to 4 ft among what takes none; a surcharge is left to the model code.',
      },
    ]),
    ...city('flatwork', [
      {
        ...EXEMPT,
        id: 'low',
        when: all(atMost('heightAboveGradeIn', 30), isNot('inRightOfWay')),
        because: 'The city lists walks and driveways of up to 30 in above the ground among what takes none.',
      },
      {
        ...REQUIRED,
        id: 'high',
        when: moreThan('heightAboveGradeIn', 30),
        because: 'The city exempts walks and driveways only up to 30 in above the ground.',
      },
    ]),
    ...city('finish_work', [
      {
        ...REQUIRED,
        id: 'structure',
        when: is('structural'),
        because: 'The city asks a permit whenever structural elements change.',
      },
    ]),
  ],
}
