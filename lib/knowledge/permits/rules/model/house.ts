import { any, is } from '../conditions'
import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const
const EXEMPT = { determination: 'likely_not_required' } as const

/** Model code rules for the house as a whole and its interior. */
export const HOUSE = [
  ...model('new_dwelling', [{ ...REQUIRED, id: 'any', because: 'Constructing a building takes a permit.' }]),
  ...model('adu', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'A further dwelling, built or made of other rooms, is new construction or a change of use.',
    },
  ]),
  ...model('addition', [{ ...REQUIRED, id: 'any', because: 'Enlarging a building takes a permit.' }]),
  ...model('demolition', [
    { ...REQUIRED, id: 'any', because: 'Demolishing a building or a part of it takes a permit.' },
  ]),
  ...model('finish_basement', [
    {
      ...REQUIRED,
      id: 'any',
      because: 'Making living space of a basement, attic or garage alters the house and the use of that part of it.',
    },
  ]),
  ...model('interior_remodel', [
    {
      ...REQUIRED,
      id: 'beyond-finishes',
      when: any(is('structural'), is('wallsChanged'), is('tradeWork')),
      because: 'Moving walls, touching structure, or changing wiring, piping or equipment goes beyond finish work.',
    },
    {
      ...EXEMPT,
      id: 'finishes',
      because: 'A remodel of surfaces and cabinets alone is finish work, which is among the exceptions.',
      section: 'R105.2, building, finish work',
      source: 'ircExempt',
    },
  ]),
  ...model('finish_work', [
    {
      ...REQUIRED,
      id: 'beyond-finishes',
      when: any(is('structural'), is('wallsChanged'), is('tradeWork')),
      because: 'With walls, structure, wiring, piping or equipment changed it is no longer finish work alone.',
    },
    {
      ...EXEMPT,
      id: 'finishes',
      because: 'Painting, papering, tile, carpet, cabinets, counter tops and the like are among the exceptions.',
      section: 'R105.2, building, finish work',
      source: 'ircExempt',
    },
  ]),
]
