import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const
const ROOFS = { section: 'R105.2.2 (ordinary repairs)', source: 'ircRepairs' } as const

/** Model code rules for the outside of a house and its lot. Order matters: the first rule that applies decides. */
export const OUTSIDE = [
  ...model('reroof', [
    {
      ...REQUIRED,
      id: 'structure',
      when: {
        any: [
          { fact: 'structural', is: true },
          { fact: 'deckingReplaced', is: true },
        ],
      },
      because: 'Replacing decking or anything that carries the roof alters the structure, which takes a permit.',
    },
    {
      ...ROOFS,
      id: 'repair',
      when: { fact: 'repairOnly', is: true },
      determination: 'likely_not_required',
      because: 'Mending damaged spots of the covering, the decking untouched, is usually read as an ordinary repair.',
    },
    {
      ...REQUIRED,
      id: 'whole',
      because:
        'Repairing or altering a building takes a permit and a new roof covering is not on the list of exceptions. Many cities exempt shingles alone; the city can say.',
    },
  ]),
  ...model('roof_structure', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Rafters, trusses, dormers and skylight openings alter the structure of the house.',
    },
  ]),
  ...model('siding', [
    {
      ...REQUIRED,
      id: 'structure',
      when: { fact: 'structural', is: true },
      because: 'Work on the framing behind the siding alters the structure, which takes a permit.',
    },
    {
      ...ROOFS,
      id: 'repair',
      when: { fact: 'repairOnly', is: true },
      determination: 'likely_not_required',
      because: 'Mending some of the siding, the framing untouched, is usually read as an ordinary repair.',
    },
    {
      ...ROOFS,
      id: 'whole',
      determination: 'ask_jurisdiction',
      because:
        'The model code neither exempts new siding nor names it; cities read it as a repair or as an alteration.',
    },
  ]),
  ...model('window_door', [
    {
      ...REQUIRED,
      id: 'opening',
      when: {
        any: [
          { fact: 'openingChanged', is: true },
          { fact: 'structural', is: true },
        ],
      },
      because: 'Cutting or resizing an opening alters the wall that carries the load above it.',
    },
    {
      ...ROOFS,
      id: 'same',
      determination: 'ask_jurisdiction',
      because:
        'Replacement in the same opening is an ordinary repair to some cities and takes a permit in others; bedroom escape windows matter.',
    },
  ]),
  ...model('deck', [
    {
      id: 'low',
      when: {
        all: [
          { fact: 'areaSqFt', atMost: 200 },
          { fact: 'heightAboveGradeIn', atMost: 30 },
          { fact: 'attached', is: false },
          { fact: 'servesExitDoor', is: false },
        ],
      },
      determination: 'likely_not_required',
      because:
        'A free-standing deck of up to 200 ft2, up to 30 in above the ground, that is not the way out of the required door.',
      section: 'R105.2, building, decks',
      source: 'ircExempt',
    },
    {
      ...REQUIRED,
      id: 'other',
      because: 'A larger, higher or attached deck, or one at the required exit door, is not among the exceptions.',
    },
  ]),
  ...model('fence', [
    {
      id: 'low',
      when: { fact: 'heightFt', atMost: 7 },
      determination: 'likely_not_required',
      because:
        'Fences of up to 7 ft are among the exceptions; zoning often allows less, and pool barriers have rules of their own.',
      section: 'R105.2, building, fences',
      source: 'ircExempt',
    },
    { ...REQUIRED, id: 'high', because: 'A fence of more than 7 ft is not among the exceptions.' },
  ]),
  ...model('accessory_structure', [
    {
      id: 'small',
      when: {
        all: [
          { fact: 'attached', is: false },
          { fact: 'stories', atMost: 1 },
          { fact: 'areaSqFt', atMost: 200 },
          { fact: 'stormShelter', is: false },
        ],
      },
      determination: 'likely_not_required',
      because:
        'A detached accessory structure of one story and up to 200 ft2 that is no storm shelter. Wiring or plumbing in it takes permits of its own.',
      section: 'R105.2, building, accessory structures',
      source: 'ircExempt',
    },
    {
      ...REQUIRED,
      id: 'other',
      because: 'A larger, higher or attached structure, or a storm shelter, is not among the exceptions.',
    },
  ]),
  ...model('retaining_wall', [
    {
      ...REQUIRED,
      id: 'high',
      when: {
        any: [
          { fact: 'heightFt', moreThan: 4 },
          { fact: 'surcharge', is: true },
        ],
      },
      because:
        'A wall of more than 4 ft from the bottom of its footing, or one that holds up more than level earth, is not among the exceptions.',
    },
    {
      id: 'low',
      determination: 'likely_not_required',
      because:
        'A retaining wall of up to 4 ft from the bottom of its footing that carries no surcharge is among the exceptions.',
      section: 'R105.2, building, retaining walls',
      source: 'ircExempt',
    },
  ]),
  ...model('pool', [
    {
      id: 'shallow',
      when: {
        all: [
          { fact: 'prefabricated', is: true },
          { fact: 'depthIn', lessThan: 24 },
        ],
      },
      determination: 'likely_not_required',
      because: 'A prefabricated pool less than 24 in deep is among the exceptions.',
      section: 'R105.2, building, prefabricated pools',
      source: 'ircExempt',
    },
    {
      ...REQUIRED,
      id: 'other',
      because:
        'A pool that is built in, or 24 in deep or deeper, is not among the exceptions; barriers and wiring are inspected too.',
    },
  ]),
  ...model('flatwork', [
    {
      id: 'street',
      when: { fact: 'inRightOfWay', is: true },
      determination: 'ask_jurisdiction',
      because:
        'Driveways and walks are exempt in the building code, but work in the public right of way belongs to the street department.',
      section: 'R105.2, building, sidewalks and driveways',
      source: 'ircExempt',
    },
    {
      id: 'private',
      determination: 'likely_not_required',
      because: 'Sidewalks and driveways on private ground are among the exceptions.',
      section: 'R105.2, building, sidewalks and driveways',
      source: 'ircExempt',
    },
  ]),
]
