import type * as z from 'zod'
import type { System } from './define'
import type { Assembly } from './takeoff'

/** A calculation by hand; the value after an arrow is rounded up to the selling unit. */
export type Case = [
  arithmetic: string,
  assembly: z.input<typeof Assembly>,
  system: System,
  lines: Record<string, [net: number, order: number]>,
]

/** Take-offs of the kinds and parts that came later, in the tests' form. */
export const MORE_CASES: Case[] = [
  [
    'wall 20 x 8 ft, 2 openings of 3 ft, treated sill, 2x10 headers: 16 + 4 = 20, + 10 % -> 22; 40 ft + 10 % = 44 / 16 -> 3; 22 / 16 -> 2; 4 plies of 3.25 ft from one of 14 ft',
    { kind: 'framed_wall', length: 20, height: 8, openings: 2, openingWidth: 3, header: '2x10', treatedSill: true },
    'imperial',
    {
      'stud-2x4-92-5-8in': [20, 22],
      'plate-2x4-16ft': [40, 3],
      'plate-treated-2x4-16ft': [20, 2],
      'header-2x10-14ft': [13, 1],
    },
  ],
  [
    'insulation 500 ft2 R-49 at 24 in: 6 x 24 x 48 / 144 = 48 ft2 a bag; 525 / 48 = 10.9 -> 11',
    { kind: 'insulation', area: 500, rValue: '49', spacing: 24 },
    'imperial',
    { 'insulation-r49-batt-24oc': [500, 11] },
  ],
  [
    'insulation 500 ft2 R-60: two layers of R-30; 1,050 / 58.667 = 17.9 -> 18',
    { kind: 'insulation', area: 500, rValue: '60' },
    'imperial',
    { 'insulation-r30-batt': [1000, 18] },
  ],
  [
    'blown 1,000 ft2, 40 ft2 a bag: 1,050 / 40 = 26.25 -> 27',
    { kind: 'insulation', area: 1_000, rValue: '49', blown: true, boxArea: 40 },
    'imperial',
    { 'insulation-blown': [1000, 27] },
  ],
  [
    'roof of walls 40 x 30 ft, overhang 1, 8/12: 42 x 32 x 1.20185 = 1,615.29 ft2; edges 84 + 64 x 1.20185 = 160.92 ft; ice (1 + 2) x 1.20185 = 3.61 ft, 2 courses of 3 x 84 = 504 ft2, + 10 % / 200 -> 3; 42 / 4 -> 11; + 10 % / 32 = 55.5 -> 56 sheets',
    {
      kind: 'roofing',
      length: 40,
      width: 30,
      rise: 8,
      overhang: 1,
      iceBarrier: true,
      ridgeVent: true,
      sheathing: true,
    },
    'imperial',
    {
      'shingle-architectural': [16.153, 54],
      'ridge-cap': [42, 2],
      'starter-strip': [160.918, 2],
      'underlayment-synthetic-10sq': [16.153, 2],
      'drip-edge-10ft': [160.918, 18],
      'roofing-nails-coil-7200': [4199.746, 1],
      'ice-water-shield-2sq': [504, 3],
      'ridge-vent-4ft': [42, 11],
      'osb-7-16-4x8': [1615.287, 56],
    },
  ],
  [
    'tile 100 ft2 of 24 x 24 in: 1/2 in notch, 110 / 35 = 3.14 -> 4; grout 1,219.2 / 609.6^2 x 9.525 x 3.175 x 1.6 = 0.1588 kg/m2 -> 3.251 lb',
    { kind: 'tile', area: 100, tileLength: 24, tileWidth: 24 },
    'imperial',
    { tile: [100, 110], 'thinset-50lb': [100, 4], 'grout-25lb': [3.251, 1] },
  ],
  [
    'gutters 100 ft, 1,500 ft2 of roof: 110 / 10 -> 11; 50 + 1 hangers; 1,500 / 600 -> 3 downspouts of 10 ft, + 10 % = 33 / 10 -> 4',
    { kind: 'gutters', length: 100, height: 10, area: 1_500, corners: 2 },
    'imperial',
    {
      'gutter-5in-10ft': [100, 11],
      'gutter-hanger': [51, 51],
      'downspout-2x3-10ft': [30, 4],
      'gutter-outlet': [3, 3],
      'downspout-elbow': [9, 9],
      'downspout-strap': [6, 6],
      'gutter-corner': [2, 2],
    },
  ],
  [
    '4 windows and a door of 3 x 5 ft: 5 x (16 + 4) = 100 ft of tape, + 5 % / 75 -> 2; 80 ft of bead, + 10 % / 13.7 = 6.4 -> 7; 5 caps of 3.5 ft, two from 10 ft -> 3',
    { kind: 'windows_doors', windows: 4, doors: 1, openingWidth: 3, height: 5 },
    'imperial',
    {
      window: [4, 4],
      'door-exterior': [1, 1],
      'flashing-tape-4in-75ft': [100, 2],
      'sealant-10oz': [80, 7],
      'drip-cap-10ft': [17.5, 3],
    },
  ],
  [
    'fiber cement 1,230 ft2 / 7 = 175.714 boards + 140 / 12 / 6 of starter = 177.659, + 10 % -> 196; x 10 nails, + 5 % = 1,845 -> 2; trim 8 x 9 ft and 200 ft: 8 + 17 boards',
    {
      kind: 'fiber_cement_siding',
      wallLength: 140,
      height: 9,
      gableArea: 150,
      openingsArea: 180,
      openingsPerimeter: 200,
    },
    'imperial',
    {
      'fiber-cement-lap-8.25in-12ft': [177.659, 196],
      'siding-nails-1000': [1757.143, 2],
      'joint-flashing': [175.714, 185],
      'fiber-cement-trim-4-12ft': [272, 25],
      'house-wrap-900ft2': [1410, 2],
    },
  ],
  [
    'block 40 x 8 - 20 = 300 ft2 x 1.125 = 337.5, + 5 % -> 355; + 10 % / 12 = 30.9 -> 31; 11 bars of 8 ft, two from 20 -> 6; 88 ft x 0.205 = 18.04 ft3, + 10 % / 0.6 = 33.07 -> 34',
    { kind: 'block_wall', length: 40, height: 8, openingsArea: 20, rebarSpacing: 48 },
    'imperial',
    {
      'block-8x8x16': [337.5, 355],
      'mortar-80lb': [337.5, 31],
      'rebar-4-20ft': [88, 6],
      'core-fill-80lb': [18.04, 34],
    },
  ],
  [
    '6 piers of 12 x 42 in: 6 x 0.7854 x 3.5 = 16.493 ft3, + 10 % / 0.6 = 30.2 -> 31; a tube each, of 4 ft -> 6',
    { kind: 'pier_footing', count: 6, width: 12, depth: 42 },
    'imperial',
    { 'concrete-mix-80lb': [16.493, 31], 'form-tube-12in-4ft': [21, 6], 'post-base-4x4': [6, 6] },
  ],
  [
    '10 piers of 8 x 36 in: 10 x 0.3491 x 3 = 10.472 ft3, + 10 % / 0.6 = 19.2 -> 20; a tube each, of 4 ft -> 10',
    { kind: 'pier_footing', count: 10, width: 8, depth: 36 },
    'imperial',
    { 'concrete-mix-80lb': [10.472, 20], 'form-tube-8in-4ft': [30, 10], 'post-base-4x4': [10, 10] },
  ],
  [
    'stairs 3 ft high, 4 ft wide: 36 / 7.75 -> 5 risers, 4 treads; 4 stringers of sqrt(3.333^2 + 3^2) + 0.833 = 5.3 ft; 8 boards of 4 ft from 2 of 16 ft, + 5 % -> 3',
    { kind: 'stairs', height: 3, width: 4 },
    'imperial',
    { 'joist-2x12-8ft': [4, 4], 'decking-5-4x6-16ft': [32, 3], 'stringer-hanger': [4, 4] },
  ],
  [
    'railing 24 ft: 24 / (5 / 12) = 57.6 -> 58, + 5 % -> 61; 24 / 6 + 1 = 5 posts; rails 4 and cap 2 of 12 ft, joined on posts',
    { kind: 'railing', length: 24 },
    'imperial',
    {
      'baluster-2x2': [58, 61],
      'railing-post-4x4': [5, 5],
      'fence-rail-2x4-12ft': [48, 4],
      'decking-5-4x6-12ft': [24, 2],
      'post-tension-tie': [5, 5],
    },
  ],
]
