/** The building permit and the trade permits, which each trade applies for itself. */
export type Trade = 'building' | 'electrical' | 'plumbing' | 'mechanical' | 'gas'

/**
 * `permits` are the permits such work usually needs; `historyType` is its name in BLDS data; `outside` means visible from the
 * street.
 */
type Described = { title: string; permits: Trade[]; historyType: string; outside: boolean; ground?: true }

const building = (title: string, historyType = 'Building') =>
  ({ title, permits: ['building'], historyType, outside: true }) satisfies Described
const site = (title: string, historyType = 'Building') =>
  ({ title, permits: ['building'], historyType, outside: true, ground: true }) satisfies Described
const inside = (title: string, permits: Trade[], historyType = 'Building') =>
  ({ title, permits, historyType, outside: false }) satisfies Described

/** The kinds of contractor work that may need a permit. */
export const WORK_TYPES = {
  reroof: building('Re-roof: the covering of a roof', 'Roof'),
  roof_structure: building('Roof structure: rafters, trusses, dormers, skylights'),
  deck: site('Deck without a roof'),
  fence: site('Fence', 'Fence'),
  accessory_structure: site('Shed, detached garage or other accessory structure'),
  addition: site('Addition to a house, a roofed porch included'),
  interior_remodel: inside('Interior remodel', ['building', 'electrical', 'plumbing', 'mechanical']),
  finish_basement: inside('Finishing a basement, attic or garage', [
    'building',
    'electrical',
    'plumbing',
    'mechanical',
  ]),
  window_door: building('Windows and doors'),
  siding: building('Siding'),
  water_heater: inside('Water heater', ['plumbing', 'gas', 'electrical'], 'Plumbing'),
  hvac: inside('Heating and cooling equipment', ['mechanical', 'gas', 'electrical'], 'Mechanical'),
  electrical_service: inside('Electrical service or panel', ['electrical'], 'Electrical'),
  circuits: inside('Circuits, outlets, rewiring', ['electrical'], 'Electrical'),
  generator: inside('Standby generator', ['electrical', 'gas'], 'Electrical'),
  ev_charger: inside('Charger for electric vehicles', ['electrical'], 'Electrical'),
  plumbing_fixture: inside('Plumbing fixtures and piping', ['plumbing'], 'Plumbing'),
  retaining_wall: site('Retaining wall'),
  pool: site('Swimming pool', 'Pool/Spa'),
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

/** Returns everything described about a kind of work. */
export const workType = (name: WorkType): Described => WORK_TYPES[name]
