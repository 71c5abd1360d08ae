import { all, any, atMost, is, isNot } from '../conditions'
import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const
const ROOFS = { section: 'R105.2.2 (ordinary repairs)', source: 'ircRepairs' } as const

/** Model code rules for the outside of a house. Order matters: the first rule that applies decides. */
export const OUTSIDE = [
  ...model('reroof', [
    {
      ...REQUIRED,
      id: 'structure',
      when: any(is('structural'), is('deckingReplaced')),
      because: 'Replacing decking or anything that carries the roof alters the structure, which takes a permit.',
    },
    {
      ...ROOFS,
      id: 'repair',
      when: is('repairOnly'),
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
      when: is('structural'),
      because: 'Work on the framing behind the siding alters the structure, which takes a permit.',
    },
    {
      ...ROOFS,
      id: 'repair',
      when: is('repairOnly'),
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
      when: any(is('openingChanged'), is('structural')),
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
      when: all(atMost('areaSqFt', 200), atMost('heightAboveGradeIn', 30), isNot('attached'), isNot('servesExitDoor')),
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
  ...model('patio_cover', [
    {
      id: 'differs',
      when: atMost('areaSqFt', 200),
      determination: 'ask_jurisdiction',
      because:
        'Places differ: the model code exempts no patio cover by name, Oregon exempts one of up to 200 ft2 that an outside wall of the house carries.',
      section: 'R105.2: no size or 200 ft2',
      source: 'lakeOswego',
    },
    { ...REQUIRED, id: 'large', because: 'A roof of more than 200 ft2 is not among any exceptions that were found.' },
  ]),
]
