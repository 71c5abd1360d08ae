import type { WorkType } from '../rules/work-types'
import type { Act } from './grammar-words'
import { list } from './list'

type Thing = { words: string[]; when: Partial<Record<Act, WorkType>> }

const DWELLING = {
  expand: 'addition',
  new: 'new_dwelling',
  build: 'new_dwelling',
  demolish: 'demolition',
  remove: 'demolition',
  remodel: 'interior_remodel',
} as const
const LIVING_SPACE = { finish: 'finish_basement', remodel: 'finish_basement', convert: 'finish_basement' } as const
const BATH = {
  expand: 'addition',
  remodel: 'interior_remodel',
  replace: 'interior_remodel',
  new: 'interior_remodel',
  add: 'interior_remodel',
  build: 'interior_remodel',
  install: 'interior_remodel',
  move: 'interior_remodel',
  demolish: 'interior_remodel',
} as const
const ROOM = { add: 'addition', build: 'addition', expand: 'addition', remodel: 'interior_remodel' } as const
const LAID = {
  pour: 'flatwork',
  build: 'flatwork',
  new: 'flatwork',
  install: 'flatwork',
  replace: 'flatwork',
  add: 'flatwork',
  repair: 'flatwork',
} as const
const EARTH = { move: 'grading', level: 'grading' } as const

/** Things that name a kind of work only with what is done to them. */
export const THINGS: Thing[] = [
  {
    words: list(`
      house, home, residence, dwelling, single family, single family home, single family residence, townhome, townhouse,
      cottage, cabin, family dwelling, dwelling unit, living unit, two family dwelling, sfr, sfd, story home, story house, unit,
      bungalow, single family house
    `),
    when: DWELLING,
  },
  {
    words: ['building', 'structure', 'existing building', 'trailer', 'accessory'],
    when: { demolish: 'demolition', remove: 'demolition' },
  },
  {
    words: ['garage', 'workshop'],
    when: {
      ...LIVING_SPACE,
      build: 'accessory_structure',
      new: 'accessory_structure',
      demolish: 'demolition',
      remove: 'demolition',
    },
  },
  {
    words: list(`
    basement, attic, bonus room, attic space, basement area, loft
  `),
    when: { ...LIVING_SPACE, build: 'finish_basement' },
  },
  {
    words: list(`
      room, bedroom, family room, living room, great room, master suite, primary suite, master bedroom, office, den,
      dining room, rec room, living space, mudroom, mud room, game room, square footage, second floor, 2nd floor, suite
    `),
    when: ROOM,
  },
  {
    words: list(`
      kitchen, bath, bathroom, half bath, powder room, master bath, laundry room, laundry, full bath, primary bath, shower room
    `),
    when: BATH,
  },
  {
    words: list(`
    interior, condo, apartment, floor, guest bath, main floor, whole home, hall bath, first floor, tenant space
  `),
    when: { remodel: 'interior_remodel', finish: 'interior_remodel' },
  },
  {
    words: ['wall', 'partition', 'wall opening'],
    when: {
      remove: 'interior_remodel',
      move: 'interior_remodel',
      open: 'interior_remodel',
      demolish: 'interior_remodel',
      add: 'interior_remodel',
    },
  },
  {
    words: ['closet', 'pantry', 'walk in closet', 'island'],
    when: { build: 'interior_remodel', add: 'interior_remodel', new: 'interior_remodel', remodel: 'interior_remodel' },
  },
  {
    words: ['porch', 'front porch', 'back porch', 'rear porch', 'lanai'],
    when: {
      expand: 'addition',
      enclose: 'addition',
      convert: 'addition',
      build: 'addition',
      new: 'addition',
      add: 'addition',
      replace: 'addition',
      demolish: 'demolition',
      remove: 'demolition',
    },
  },
  {
    words: list(`
    patio, slab, concrete, walk, path, asphalt, apron
  `),
    when: LAID,
  },
  {
    words: list(`
    dirt, fill, soil, earth, cubic yard, lot, yard, back yard, backyard, rear lot, hillside, slope
  `),
    when: EARTH,
  },
  { words: ['panel', 'meter'], when: { replace: 'electrical_service', move: 'electrical_service' } },
  {
    words: ['light', 'fan', 'switch', 'fixture'],
    when: { install: 'circuits', replace: 'circuits', add: 'circuits', new: 'circuits' },
  },
  { words: ['gate'], when: { build: 'fence', install: 'fence', new: 'fence', replace: 'fence' } },
]
