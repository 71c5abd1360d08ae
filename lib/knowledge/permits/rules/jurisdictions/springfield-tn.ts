import { type Jurisdiction, rulesFor } from '../define'

const city = rulesFor('springfield-tn', 'confirmed_in_source')

const LIST = { source: 'springfield', section: 'Do I need a Permit, list' } as const
const REQUIRED = { ...LIST, determination: 'likely_required' } as const
const EXEMPT = { ...LIST, determination: 'likely_not_required' } as const

/** Springfield, Tennessee: a short list of what needs a permit and what does not. */
export const SPRINGFIELD_TN: Jurisdiction = {
  id: 'us-tn-springfield',
  name: 'Springfield, Tennessee',
  state: 'TN',
  places: ['springfield'],
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
        when: { fact: 'wallsChanged', is: true },
        because: 'The city lists changes of walls, rooms and exits among what takes a permit.',
      },
    ]),
    ...city('reroof', [
      {
        ...REQUIRED,
        id: 'covering',
        when: { fact: 'repairOnly', is: false },
        because: 'The city lists replacing shingles or another roof covering among what takes a permit.',
      },
    ]),
    ...city('window_door', [
      {
        ...REQUIRED,
        id: 'windows',
        when: { fact: 'doorsOnly', is: false },
        because: 'The city lists replacing windows among what takes a permit; it does not name doors.',
      },
    ]),
    ...city('hvac', [
      {
        ...REQUIRED,
        id: 'system',
        when: {
          all: [
            { fact: 'minorPartOnly', is: false },
            { fact: 'portable', is: false },
          ],
        },
        because:
          'The city lists replacing heating and cooling systems and gas-fired appliances among what takes a permit.',
      },
    ]),
    ...city('accessory_structure', [
      {
        ...REQUIRED,
        id: 'large',
        when: { fact: 'areaSqFt', moreThan: 200 },
        because: 'The city lists garages and accessory buildings of more than 200 ft2 among what takes a permit.',
      },
      {
        ...EXEMPT,
        id: 'small',
        when: {
          all: [
            { fact: 'attached', is: false },
            { fact: 'stories', atMost: 1 },
            { fact: 'areaSqFt', atMost: 200 },
            { fact: 'stormShelter', is: false },
          ],
        },
        because: 'The city lists detached sheds and playhouses of one story and up to 200 ft2 among what takes none.',
      },
    ]),
    ...city('deck', [
      {
        ...REQUIRED,
        id: 'high',
        when: { fact: 'heightAboveGradeIn', moreThan: 30 },
        because: 'The city lists decks of more than 30 in above the ground among what takes a permit.',
      },
    ]),
    ...city('pool', [
      {
        ...EXEMPT,
        id: 'shallow',
        when: {
          all: [
            { fact: 'prefabricated', is: true },
            { fact: 'depthIn', lessThan: 24 },
          ],
        },
        because: 'The city lists prefabricated pools above the ground, less than 24 in deep, among what takes none.',
      },
      { ...REQUIRED, id: 'other', because: 'The city lists installing a pool among what takes a permit.' },
    ]),
    ...city('plumbing_fixture', [
      {
        ...REQUIRED,
        id: 'moved',
        when: { fact: 'pipesRearranged', is: true },
        because: 'The city lists adding or moving plumbing and gas piping among what takes a permit.',
      },
    ]),
    ...city('gas_line', [
      {
        ...REQUIRED,
        id: 'piping',
        when: { fact: 'minorPartOnly', is: false },
        because: 'The city lists adding or moving gas piping among what takes a permit.',
      },
    ]),
    ...city('fence', [
      {
        ...EXEMPT,
        id: 'low',
        when: { fact: 'heightFt', atMost: 7 },
        because: 'The city lists fences of up to 7 ft among what takes none.',
      },
    ]),
    ...city('retaining_wall', [
      {
        ...EXEMPT,
        id: 'low',
        when: {
          all: [
            { fact: 'heightFt', atMost: 4 },
            { fact: 'surcharge', is: false },
          ],
        },
        because:
          'The city lists retaining walls of up to 4 ft among what takes none; a surcharge is left to the model code.',
      },
    ]),
    ...city('flatwork', [
      {
        ...EXEMPT,
        id: 'low',
        when: {
          all: [
            { fact: 'heightAboveGradeIn', atMost: 30 },
            { fact: 'inRightOfWay', is: false },
          ],
        },
        because: 'The city lists walks and driveways of up to 30 in above the ground among what takes none.',
      },
      {
        ...REQUIRED,
        id: 'high',
        when: { fact: 'heightAboveGradeIn', moreThan: 30 },
        because: 'The city exempts walks and driveways only up to 30 in above the ground.',
      },
    ]),
    ...city('finish_work', [
      {
        ...REQUIRED,
        id: 'structure',
        when: { fact: 'structural', is: true },
        because: 'The city asks a permit whenever structural elements change.',
      },
    ]),
  ],
}
