/** The building permit and the trade permits, which each trade applies for itself. */
export type Trade = 'building' | 'electrical' | 'plumbing' | 'mechanical' | 'gas'

/**
 * A described kind of work. `permits` are the permits such work usually needs; `historyType` is its name in BLDS data; `outside` means
 * visible from the street.
 */
type Described = { title: string; permits: Trade[]; historyType: string; outside: boolean; ground?: true }

const building = (title: string, historyType = 'Building') =>
  ({ title, permits: ['building'], historyType, outside: true }) satisfies Described
const site = (title: string, historyType = 'Building') =>
  ({ title, permits: ['building'], historyType, outside: true, ground: true }) satisfies Described
const inside = (title: string, permits: Trade[], historyType = 'Building') =>
  ({ title, permits, historyType, outside: false }) satisfies Described

/** The kinds of contractor work that may need a permit. */
const WORK_TYPES = {
  reroof: building('Re-roof: the covering of a roof', 'Roof'),
  roof_structure: building('Roof structure: rafters, trusses, dormers, skylights'),
  deck: site('Deck without a roof'),
  fence: site('Fence', 'Fence'),
  accessory_structure: site('Shed, detached garage or other accessory structure'),
  addition: site('Addition to a house, an enclosed porch included'),
  interior_remodel: inside('Interior remodel', ['building', 'electrical', 'plumbing', 'mechanical']),
  finish_basement: inside('Finishing a basement, attic or garage', [
    'building',
    'electrical',
    'plumbing',
    'mechanical',
  ]),
  window_door: building('Windows and doors'),
  siding: building('Siding'),
  patio_cover: site('Patio or porch cover: a roof on posts, open at the sides'),
  adu: {
    title: 'Accessory dwelling unit',
    permits: ['building', 'electrical', 'plumbing', 'mechanical'],
    historyType: 'Building',
    outside: true,
    ground: true,
  },
  foundation: site('Foundation: new, repaired, underpinned or leveled'),
  fireplace: {
    title: 'Fireplace, stove or chimney',
    permits: ['building', 'mechanical', 'gas'],
    historyType: 'Mechanical',
    outside: true,
  },
  grading: {
    title: 'Grading: earth cut, filled or moved',
    permits: ['building'],
    historyType: 'Grading',
    outside: false,
    ground: true,
  },
  gas_line: inside('Gas piping', ['gas', 'mechanical'], 'Mechanical'),
  sewer: inside('Sewer or drain line of the building', ['plumbing'], 'Plumbing'),
  repipe: inside('Water piping: repipe, water service line', ['plumbing'], 'Plumbing'),
  mini_split: inside('Ductless heat pump (mini split)', ['mechanical', 'electrical'], 'Mechanical'),
  water_heater: inside('Water heater', ['plumbing', 'gas', 'electrical'], 'Plumbing'),
  hvac: inside('Heating and cooling equipment', ['mechanical', 'gas', 'electrical'], 'Mechanical'),
  electrical_service: inside('Electrical service or panel', ['electrical'], 'Electrical'),
  circuits: inside('Circuits, outlets, lights, rewiring', ['electrical'], 'Electrical'),
  generator: inside('Standby generator', ['electrical', 'gas'], 'Electrical'),
  ev_charger: inside('Charger for electric vehicles', ['electrical'], 'Electrical'),
  plumbing_fixture: inside('Plumbing fixtures', ['plumbing'], 'Plumbing'),
  retaining_wall: site('Retaining wall'),
  pool: {
    title: 'Swimming pool',
    permits: ['building', 'electrical', 'plumbing'],
    historyType: 'Pool/Spa',
    outside: true,
    ground: true,
  },
  hot_tub: {
    title: 'Hot tub or spa',
    permits: ['building', 'electrical'],
    historyType: 'Pool/Spa',
    outside: true,
    ground: true,
  },
  solar: { title: 'Solar panels', permits: ['building', 'electrical'], historyType: 'Electrical', outside: true },
  flatwork: site('Driveway, walk or other flatwork'),
  demolition: site('Demolition', 'Demolition'),
  finish_work: inside('Finish work: paint, floors, cabinets, tile', ['building']),
  new_dwelling: {
    title: 'New dwelling',
    permits: ['building', 'electrical', 'plumbing', 'mechanical'],
    historyType: 'Building',
    outside: true,
    ground: true,
  },
} satisfies Record<string, Described>

export type WorkType = keyof typeof WORK_TYPES
export const isWorkType = (name: string): name is WorkType => Object.hasOwn(WORK_TYPES, name)
export const WORK_TYPE_NAMES = Object.keys(WORK_TYPES).filter(isWorkType)

/** Words of permit descriptions that tell a kind of work from the others of its permit type. */
const HISTORY_TEXT: Partial<Record<WorkType, string>> = {
  deck: 'deck',
  accessory_structure: 'garage OR shed OR carport OR accessory',
  addition: 'addition',
  interior_remodel: 'remodel OR renovation OR rehab',
  finish_basement: 'basement OR attic',
  window_door: 'window OR door',
  siding: 'siding',
  patio_cover: 'cover OR porch',
  adu: 'accessory dwelling OR DADU OR ADU',
  foundation: 'foundation',
  retaining_wall: 'retaining wall',
  solar: 'solar OR photovoltaic',
  flatwork: 'driveway OR patio OR sidewalk',
  roof_structure: 'dormer OR skylight OR truss OR rafter',
  new_dwelling: 'new residence OR new dwelling OR new house OR new home',
  hot_tub: 'hot tub OR spa',
  sewer: 'sewer',
  fireplace: 'fireplace OR stove OR chimney',
  water_heater: 'water heater',
}

/** Returns everything described about a kind of work. */
export const workType = (name: WorkType): Described & { historyText: string | undefined } => ({
  ...WORK_TYPES[name],
  historyText: HISTORY_TEXT[name],
})
