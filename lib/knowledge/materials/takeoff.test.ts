import { expect, test } from 'vitest'
import { Assembly, takeoff } from './takeoff'
import { type Case, MORE_CASES } from './takeoff-cases'

/** Cases calculated by hand. The value after an arrow is rounded up to the selling unit. */
const CASES: Case[] = [
  [
    'slab 20 x 10 ft, 4 in: 200 x 4/12 / 27 = 2.469 yd3, + 10 % = 2.716 -> 2.75; grid at 18 in with 3 in of cover: 8 x 19.5 + 14 x 9.5 = 289 ft, 8 bars and 7 cut in two -> 15; 200 ft2 + 15 % = 230 -> 1 roll',
    { kind: 'concrete_slab', length: 20, width: 10, thickness: 4, rebarSpacing: 18, vaporRetarder: true },
    'imperial',
    { 'concrete-ready-mix': [2.469, 2.75], 'rebar-4-20ft': [289, 15], 'vapor-retarder-10mil': [200, 1] },
  ],
  [
    'slab 6 x 3 m, 100 mm: 1.8 m3, + 10 % = 1.98 -> 2.0; grid at 400 mm: 9 x 5.85 + 16 x 2.85 = 98.25 m, 9 bars and 8 cut in two -> 17',
    { kind: 'concrete_slab', length: 6, width: 3, thickness: 100, rebarSpacing: 400 },
    'metric',
    { 'concrete-ready-mix': [1.8, 2], 'rebar-12mm-6m': [98.25, 17] },
  ],
  [
    'footing 60 ft, 16 x 8 in: 60 x 16 x 8 / 144 / 27 = 1.975 yd3, + 10 % = 2.173 -> 2.25; 2 x 60 ft in 20 ft bars lapped 2.5 ft: 3 whole and 7.5 ft each, the rests from one -> 7; 120 + 6 x 2.5 = 135 ft',
    { kind: 'concrete_footing', length: 60, width: 16, depth: 8, bars: 2 },
    'imperial',
    { 'concrete-ready-mix': [1.975, 2.25], 'rebar-4-20ft': [135, 7] },
  ],
  [
    'footing 18 m, 400 x 200 mm: 1.44 m3, + 10 % = 1.584 -> 1.6',
    { kind: 'concrete_footing', length: 18, width: 400, depth: 200 },
    'metric',
    { 'concrete-ready-mix': [1.44, 1.6] },
  ],
  [
    'gravel 27 x 10 ft, 4 in: 90 / 27 = 3.333 yd3, + 10 % = 3.667, x 1.85 = 6.783 -> 7 tons; 270 ft2 + 15 % -> 1 roll',
    { kind: 'gravel_base', length: 27, width: 10, depth: 4, fabric: true },
    'imperial',
    { 'gravel-base': [3.333, 7], 'geotextile-1000ft2': [270, 1] },
  ],
  [
    'gravel 10 x 5 m, 100 mm: 5 m3, + 10 % = 5.5, x 2.195 = 12.07 -> 12.5 tonnes',
    { kind: 'gravel_base', length: 10, width: 5, depth: 100 },
    'metric',
    { 'gravel-base': [5, 12.5] },
  ],
  [
    'wall 20 x 8 ft at 16 in: 240/16 + 1 + 2 x 2 + 2 x 1 = 22, + 10 % = 24.2 -> 25 precut for 8 - 0.375 ft; plates 60 ft, + 10 % = 66 / 16 -> 5; (160 - 15) x 1.1 / 32 = 4.98 -> 5',
    { kind: 'framed_wall', length: 20, height: 8, corners: 2, openings: 1, openingsArea: 15, sheathing: true },
    'imperial',
    { 'stud-2x4-92-5-8in': [22, 25], 'plate-2x4-16ft': [60, 5], 'osb-7-16-4x8': [145, 5] },
  ],
  [
    'wall 6 x 3 m of 2x6 at 600 mm: 10 + 1 = 11, + 10 % = 12.1 -> 13, precut for 3 - 0.114 m; plates 18 m, + 10 % = 19.8 / 4.8 -> 5',
    { kind: 'framed_wall', length: 6, height: 3, spacing: 600, lumber: '2x6' },
    'metric',
    { 'stud-38x140-2.962m': [11, 13], 'plate-38x140-4.8m': [18, 5] },
  ],
  [
    'drywall 52 x 8 + 168 - 35 = 549 ft2: + 10 % = 603.9 / 32 -> 19; x 0.0094 = 5.161 gal / 4.5 -> 2; x 0.37 = 203.13 ft -> 1; x 1.125 = 617.6 -> 1',
    { kind: 'drywall', wallLength: 52, height: 8, ceilingArea: 168, openingsArea: 35 },
    'imperial',
    {
      'drywall-1-2-4x8': [549, 19],
      'joint-compound-4.5gal': [5.161, 2],
      'joint-tape-500ft': [203.13, 1],
      'drywall-screws-1000': [617.625, 1],
    },
  ],
  [
    'drywall 16 x 2.4 + 15 = 53.4 m2: + 10 % = 58.74 / 2.88 = 20.4 -> 21; x 0.383 = 20.452 l / 17 -> 2',
    { kind: 'drywall', wallLength: 16, height: 2.4, ceilingArea: 15 },
    'metric',
    {
      'drywall-12.5mm-1200x2400': [53.4, 21],
      'joint-compound-17l': [20.452, 2],
      'joint-tape-150m': [64.828, 1],
      'drywall-screws-1000': [646.674, 1],
    },
  ],
  [
    'insulation 500 ft2 R-13: 11 x 15 x 93 / 144 = 106.56 ft2 a bag; 525 / 106.56 = 4.93 -> 5',
    { kind: 'insulation', area: 500, rValue: '13' },
    'imperial',
    { 'insulation-r13-batt': [500, 5] },
  ],
  [
    'insulation 50 m2 R-38: 42.667 ft2 = 3.964 m2 a bag; 52.5 / 3.964 = 13.2 -> 14',
    { kind: 'insulation', area: 50, rValue: '38' },
    'metric',
    { 'insulation-r38-batt': [50, 14] },
  ],
  [
    'gable 40 x 30 ft at 6/12: 1,200 x sqrt(1.25) = 1,341.6 ft2, + 10 % = 14.758 squares x 3 = 44.3 -> 45; edges 80 + 60 x 1.11803 = 147.08 ft, + 5 % = 154.4 / 105 -> 2, + 10 % = 161.8 / 10 -> 17; 13.416 x 65 x 4 = 3,488 nails',
    { kind: 'roofing', length: 40, width: 30, rise: 6 },
    'imperial',
    {
      'shingle-architectural': [13.416, 45],
      'ridge-cap': [40, 2],
      'starter-strip': [147.082, 2],
      'underlayment-synthetic-10sq': [13.416, 2],
      'drip-edge-10ft': [147.082, 17],
      'roofing-nails-coil-7200': [3488.266, 1],
    },
  ],
  [
    'hip 40 x 30 ft at 6/12: the same area, + 15 % = 15.43 x 3 = 46.3 -> 47; ridge 10 + 4 hips of 15 x sqrt(2.25) = 22.5: 100 ft, + 5 % = 105 / 25 -> 5; eaves 140 ft',
    { kind: 'roofing', length: 40, width: 30, rise: 6, shape: 'hip' },
    'imperial',
    {
      'shingle-architectural': [13.416, 47],
      'ridge-cap': [100, 5],
      'starter-strip': [140, 2],
      'underlayment-synthetic-10sq': [13.416, 2],
      'drip-edge-10ft': [140, 16],
      'roofing-nails-coil-7200': [3488.266, 1],
    },
  ],
  [
    'flat plan 10 x 8 m with an overhang of 0.5, 9/12: 11 x 9 x 1.25 = 123.75 m2, + 10 % = 136.1 / 3.1 -> 44; edges 22 + 18 x 1.25 = 44.5 m',
    { kind: 'roofing', length: 10, width: 8, rise: 9, overhang: 0.5 },
    'metric',
    {
      'shingle-architectural': [123.75, 44],
      'ridge-cap': [11, 2],
      'starter-strip': [44.5, 2],
      'underlayment-synthetic-75m2': [123.75, 2],
      'drip-edge-3m': [44.5, 17],
      'roofing-nails-coil-7200': [3463.288, 1],
    },
  ],
  [
    'siding 140 x 9 + 150 - 180 = 1,230 ft2 = 12.3 squares, + 10 % = 13.5 -> 14; 140 ft + 10 % = 154 / 12.5 -> 13; 220 / 12.5 -> 18; 1,410 + 15 % = 1,621.5 / 900 -> 2',
    { kind: 'siding', wallLength: 140, height: 9, gableArea: 150, openingsArea: 180, openingsPerimeter: 200 },
    'imperial',
    {
      'siding-vinyl': [12.3, 14],
      'siding-starter-12.5ft': [140, 13],
      'siding-j-channel-12.5ft': [200, 18],
      'siding-corner-10ft': [4, 4],
      'house-wrap-900ft2': [1410, 2],
    },
  ],
  [
    'siding 40 x 5 = 200 m2, + 10 % -> 220; 44 / 3.8 = 11.6 -> 12; corners 4 x 2 posts of 3 m; 230 / 150 -> 2',
    { kind: 'siding', wallLength: 40, height: 5 },
    'metric',
    {
      'siding-vinyl': [200, 220],
      'siding-starter-3.8m': [40, 12],
      'siding-corner-3m': [8, 8],
      'house-wrap-150m2': [200, 2],
    },
  ],
  [
    'deck 16 x 12 ft: 144 / 5.625 = 25.6 -> 26 rows of 16 ft, + 5 % = 27.3 -> 28; 12 ft is beyond a 2x8 (10 ft 7 in) and within a 2x10 (13 ft); 192/16 + 1 = 13 joists; rim and ledger 2 x 16 ft; 26 x 13 x 2 = 676, + 5 % = 709.8 / 350 -> 3',
    { kind: 'deck', length: 16, width: 12 },
    'imperial',
    {
      'decking-5-4x6-16ft': [416, 28],
      'joist-2x10-12ft': [13, 13],
      'joist-2x10-16ft': [32, 2],
      'joist-hanger-2x10': [13, 13],
      'deck-screws-350': [676, 3],
    },
  ],
  [
    'deck 6 x 3 m: 3,000 / 143 = 20.98 -> 21 rows of 6 m, + 5 % = 22.05 -> 23; 3 m is within 38x184 (3.23 m); 15 + 1 = 16 joists; rim and ledger 2 x 6 m; 21 x 16 x 2 = 672, + 5 % = 705.6 -> 3',
    { kind: 'deck', length: 6, width: 3 },
    'metric',
    {
      'decking-140mm-6m': [126, 23],
      'joist-38x184-3m': [16, 16],
      'joist-38x184-6m': [12, 2],
      'joist-hanger-2x8': [16, 16],
      'deck-screws-350': [672, 3],
    },
  ],
  [
    'fence 100 x 6 ft, a gate: 13 sections, 14 + 2 posts of 9 ft; 13 x 3 = 39 rails, + 5 % -> 41; 1,200 / 5.5 = 218.2 -> 219, + 5 % = 229.95 -> 230; 16 x (pi/4 x 9 - 1) x (3.5/12)^2 x 3 = 24.78 ft3, + 10 % / 0.6 = 45.4 -> 46',
    { kind: 'fence', length: 100, height: 6, gates: 1 },
    'imperial',
    {
      'fence-post-4x4-10ft': [16, 16],
      'fence-rail-2x4-8ft': [39, 41],
      'fence-picket-6ft': [219, 230],
      'concrete-mix-80lb': [24.78, 46],
    },
  ],
  [
    'fence 24 x 1.2 m, gap 60 mm: 10 sections, 11 posts of 1.8 m; 20 rails, + 5 % = 21; 24,000 / 200 = 120, + 5 % = 126; 11 x 6.0686 x 0.089^2 x 0.6 = 0.317 m3, + 10 % / 0.0117 = 29.8 -> 30',
    { kind: 'fence', length: 24, height: 1.2, gap: 60 },
    'metric',
    {
      'fence-post-4x4-2.4m': [11, 11],
      'fence-rail-2x4-2.4m': [20, 21],
      'fence-picket-1.2m': [120, 126],
      'concrete-mix-25kg': [0.317, 30],
    },
  ],
  [
    'tile 100 ft2 of 12 x 12 in: + 10 % = 110; 110 / 60 -> 2; grout 609.6 / 304.8^2 x 9.525 x 3.175 x 1.6 = 0.3175 kg/m2 = 0.06503 lb/ft2 -> 6.503 lb',
    { kind: 'tile', area: 100, tileLength: 12, tileWidth: 12 },
    'imperial',
    { tile: [100, 110], 'thinset-50lb': [100, 2], 'grout-25lb': [6.503, 1] },
  ],
  [
    'tile 10 m2 of 300 x 300 mm, diagonal: 11.5 / 1.44 -> 8 boxes = 11.52; 11 / 4.9 -> 3; grout 600 / 90,000 x 9 x 3 x 1.6 = 0.288 kg/m2 -> 2.88 kg',
    { kind: 'tile', area: 10, tileLength: 300, tileWidth: 300, layout: 'diagonal', boxArea: 1.44 },
    'metric',
    { tile: [10, 11.52], 'thinset-20kg': [10, 3], 'grout-5kg': [2.88, 1] },
  ],
  [
    'paint 56 x 8 - 2 x 20 - 4 x 15 = 348 ft2: x 2 = 696 / 350 = 1.99 -> 2; primer 348 / 250 = 1.4 -> 2',
    { kind: 'paint', wallLength: 56, height: 8, doors: 2, windows: 4, primer: true },
    'imperial',
    { 'paint-interior': [696, 2], 'primer-interior': [348, 2] },
  ],
  [
    'paint 16 x 2.5 - 1.86 - 2 x 1.39 = 35.36 m2: x 2 = 70.72 / 8.6 = 8.2 -> 9 l',
    { kind: 'paint', wallLength: 16, height: 2.5, doors: 1, windows: 2 },
    'metric',
    { 'paint-interior': [70.72, 9] },
  ],
  [
    'floor 15 x 12 = 180 ft2, + 10 % = 198 -> 10 boxes of 20 = 200; pad 189 / 100 -> 2',
    { kind: 'flooring', length: 15, width: 12, boxArea: 20, underlayment: true },
    'imperial',
    { 'flooring-plank': [180, 200], 'floor-underlayment-100ft2': [180, 2] },
  ],
  [
    'floor 5 x 4 = 20 m2, diagonal, + 15 % = 23',
    { kind: 'flooring', length: 5, width: 4, layout: 'diagonal' },
    'metric',
    { 'flooring-plank': [20, 23] },
  ],
]

test.each([...CASES, ...MORE_CASES])('%s', (_, assembly, system, expected) => {
  const { lines } = takeoff(Assembly.parse(assembly), system)
  expect(Object.fromEntries(lines.map((line) => [line.key, [line.netQuantity, line.orderQuantity]]))).toEqual(expected)
})

test.each([...CASES, ...MORE_CASES])(
  'lists its assumptions, what it does not count, and the reason for the waste: %s',
  (_, assembly, system) => {
    const { lines, assumptions, notCounted } = takeoff(Assembly.parse(assembly), system)
    expect(Math.min(assumptions.length, notCounted.length)).toBeGreaterThan(0)
    for (const { wasteBasis, item } of lines) expect([wasteBasis, item]).not.toContain('')
  },
)

test('waste in the request replaces the default, and the result says so', () => {
  const [shingles] = takeoff(
    Assembly.parse({ kind: 'roofing', length: 40, width: 20, rise: 9, wastePercent: 0 }),
    'imperial',
  ).lines
  expect(shingles).toMatchObject({
    netQuantity: 10,
    wastePercent: 0,
    wasteBasis: 'as given with the request',
    orderQuantity: 30,
  })
})

test.each([
  [{ kind: 'drywall', wallLength: 10, height: 8, openingsArea: 80 }, /openings are as large/],
  [{ kind: 'deck', length: 10, width: 24 }, /beam in between/],
  [{ kind: 'framed_wall', length: 10, height: 16 }, /at most 14 ft.*R602\.3\(5\)/],
  [{ kind: 'framed_wall', length: 20, height: 8, openings: 20 }, /wider together than the wall/],
  [{ kind: 'insulation', area: 1_000, rValue: '49', blown: true }, /chart on every bag.*16 CFR 460\.12/],
  [{ kind: 'insulation', area: 1_000, rValue: '19', spacing: 19.2 }, /16 and 24 in/],
  [{ kind: 'stairs', height: 13, width: 4 }, /12 ft 7 in/],
  [{ kind: 'windows_doors', openingWidth: 3, height: 5 }, /windows, doors or both/],
] as const)('%j cannot be built, and the answer says why', (assembly, reason) => {
  expect(() => takeoff(Assembly.parse(assembly), 'imperial')).toThrow(reason)
})
