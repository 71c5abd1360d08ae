import { all, any, atMost, is, isNot, lessThan, moreThan } from '../conditions'
import { rulesFor } from '../define'

const model = rulesFor('irc', 'model_code_only')

const REQUIRED = { determination: 'likely_required', section: 'R105.1', source: 'ircRequired' } as const

/** Model code rules for the lot of a house. Order matters: the first rule that applies decides. */
export const LOT = [
  ...model('fence', [
    {
      id: 'low',
      when: atMost('heightFt', 6),
      determination: 'likely_not_required',
      because:
        'Fences of up to 6 ft are exempt in older and newer codes; zoning often allows less, and pool barriers have rules of their own.',
      section: 'R105.2, building, fences',
      source: 'fencesDiffer',
    },
    {
      id: 'differs',
      when: atMost('heightFt', 7),
      determination: 'ask_jurisdiction',
      because:
        'Places differ between 6 and 7 ft: the 2021 model code exempts fences of up to 7 ft, places on older codes only up to 6 ft.',
      section: 'R105.2, building, fences: 6 ft or 7 ft',
      source: 'fencesDiffer',
    },
    { ...REQUIRED, id: 'high', because: 'A fence of more than 7 ft is not among the exceptions.' },
  ]),
  ...model('accessory_structure', [
    {
      id: 'small',
      when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 120), isNot('stormShelter')),
      determination: 'likely_not_required',
      because:
        'A detached accessory structure of one story and up to 120 ft2 that is no storm shelter. Wiring or plumbing in it takes permits of its own.',
      section: 'R105.2, building, accessory structures',
      source: 'shedsDiffer',
    },
    {
      id: 'differs',
      when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 200), isNot('stormShelter')),
      determination: 'ask_jurisdiction',
      because:
        'Places differ between 120 and 200 ft2: the 2021 model code exempts up to 200 ft2, California and many cities 120 ft2, New York 144 ft2.',
      section: 'R105.2, building, accessory structures: 120 ft2 or 200 ft2',
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
      when: any(moreThan('heightFt', 4), is('surcharge')),
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
      when: all(is('prefabricated'), lessThan('depthIn', 24)),
      determination: 'likely_not_required',
      because: 'A prefabricated pool less than 24 in deep is among the exceptions.',
      section: 'R105.2, building, prefabricated pools',
      source: 'ircExempt',
    },
    {
      id: 'prefabricated',
      when: is('prefabricated'),
      determination: 'ask_jurisdiction',
      because:
        'Places differ on ready-made pools above the ground: the model code exempts less than 24 in of depth; Oregon exempts any whose walls stand entirely above the ground.',
      section: 'R105.2, building, prefabricated pools: 24 in or any depth',
      source: 'lakeOswego',
    },
    {
      ...REQUIRED,
      id: 'other',
      because:
        'A pool that is built in is not among the exceptions; its wiring takes an electrical permit, and its barrier is inspected too.',
    },
  ]),
  ...model('hot_tub', [
    {
      id: 'plugged',
      when: is('portable'),
      determination: 'ask_jurisdiction',
      because:
        'The model code exempts prefabricated pools less than 24 in deep, and portable plugged-in equipment; most tubs are deeper, and places differ.',
      section: 'R105.2, building, prefabricated pools',
      source: 'ircExempt',
    },
    {
      ...REQUIRED,
      id: 'wired',
      because:
        'A hot tub on a circuit of its own takes an electrical permit at least; places such as Orland Park ask for one for the tub too.',
      source: 'hotTubs',
    },
  ]),
  ...model('foundation', [
    {
      id: 'crack',
      when: all(isNot('structural'), is('repairOnly')),
      determination: 'ask_jurisdiction',
      because:
        'Sealing cracks where nothing that carries load is cut or replaced may pass as an ordinary repair; the office decides.',
      section: 'R105.2.2 (ordinary repairs)',
      source: 'ircRepairsText',
    },
    { ...REQUIRED, id: 'other', because: 'A foundation carries the building; building or altering it takes a permit.' },
  ]),
  ...model('grading', [
    {
      id: 'small',
      when: atMost('cubicYards', 50),
      determination: 'ask_jurisdiction',
      because:
        'Places differ up to 50 yd3: appendix J exempts grading of a self-contained area without danger, cities bound that by 50 yd3, 2 ft of cut or 1 ft of fill.',
      section: 'Appendix J, J103.2',
      source: 'gradingDiffer',
    },
    {
      id: 'large',
      determination: 'likely_required',
      because: 'Where appendix J is adopted grading takes a permit, and cities that name a bound name 50 yd3.',
      section: 'Appendix J, J103.1',
      source: 'grading',
    },
  ]),
  ...model('flatwork', [
    {
      id: 'street',
      when: is('inRightOfWay'),
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
