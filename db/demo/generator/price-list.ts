/** An item of a price list: key, name, trade, unit, cost in cents. Keys match the take-offs' item keys where they exist. */
export type Priced = [item: string, name: string, trade: string, unit: string, cents: number]

const feet = (key: string, name: string, trade: string, prices: Record<number, number>): Priced[] =>
  Object.entries(prices).map(([length, cents]) => [`${key}-${length}ft`, `${name}, ${length} ft`, trade, 'each', cents])

/** What any building contractor buys. */
export const BUILDING: Priced[] = [
  ['concrete-ready-mix', 'Ready-mix concrete, 3,500 psi', 'concrete', 'yd3', 17_800],
  ['concrete-mix-80lb', 'Concrete mix, 80 lb bag', 'concrete', 'bag', 648],
  ['rebar-4-20ft', 'Rebar #4, 20 ft bar', 'concrete', 'each', 1_395],
  ['vapor-retarder-10mil', 'Vapor retarder 10 mil, 1,000 ft2', 'concrete', 'roll', 11_900],
  ['gravel-base', 'Crushed stone base', 'sitework', 'ton', 3_150],
  ['geotextile-1000ft2', 'Geotextile, 1,000 ft2', 'sitework', 'roll', 13_400],
  ['drywall-1-2-4x8', 'Drywall 1/2 in, 4 x 8 ft', 'drywall', 'sheet', 1_598],
  ['joint-compound-4.5gal', 'Joint compound, 4.5 gal bucket', 'drywall', 'bucket', 2_198],
  ['joint-tape-500ft', 'Joint tape, 500 ft roll', 'drywall', 'roll', 598],
  ['drywall-screws-1000', 'Drywall screws 1-1/4 in, box of 1,000', 'drywall', 'box', 1_149],
  ['insulation-r13-batt', 'Insulation batts R-13, bag', 'insulation', 'bag', 8_650],
  ['insulation-r19-batt', 'Insulation batts R-19, bag', 'insulation', 'bag', 8_420],
  ['insulation-r30-batt', 'Insulation batts R-30, bag', 'insulation', 'bag', 9_480],
  ['insulation-r38-batt', 'Insulation batts R-38, bag', 'insulation', 'bag', 9_150],
  ['paint-interior', 'Interior paint, eggshell', 'paint', 'gal', 3_898],
  ['primer-interior', 'Interior primer', 'paint', 'gal', 2_398],
]

/** What a roofer and remodeler buys in addition. */
export const REMODELING: Priced[] = [
  ['shingle-architectural', 'Architectural shingles', 'roofing', 'bundle', 3_895],
  ['ridge-cap', 'Hip and ridge cap, 25 ft', 'roofing', 'bundle', 6_250],
  ['starter-strip', 'Starter strip, 105 ft', 'roofing', 'bundle', 5_480],
  ['underlayment-synthetic-10sq', 'Synthetic underlayment, 10 squares', 'roofing', 'roll', 9_975],
  ['drip-edge-10ft', 'Drip edge, aluminum, 10 ft', 'roofing', 'each', 1_085],
  ['ice-water-shield-2sq', 'Ice and water shield, 2 squares', 'roofing', 'roll', 8_960],
  ['roofing-nails-coil-7200', 'Coil roofing nails 1-1/4 in, 7,200', 'roofing', 'box', 4_890],
  ['pipe-boot-3in', 'Pipe boot, 3 in', 'roofing', 'each', 1_240],
  ['ridge-vent-4ft', 'Ridge vent, 4 ft', 'roofing', 'each', 1_475],
  ['step-flashing-100', 'Step flashing, 4 x 4 x 8 in, bundle of 100', 'roofing', 'bundle', 6_890],
  ['gutter-coil-6in', 'Gutter coil, aluminum, 6 in seamless', 'gutters', 'ft', 265],
  ...feet('stud-2x4', 'Stud 2x4', 'framing', { 8: 398, 10: 575, 12: 698 }),
  ...feet('stud-2x6', 'Stud 2x6', 'framing', { 8: 648, 10: 845, 12: 1_025 }),
  ...feet('plate-2x4', 'Plate 2x4', 'framing', { 16: 985 }),
  ...feet('plate-2x6', 'Plate 2x6', 'framing', { 16: 1_495 }),
  ['osb-7-16-4x8', 'OSB sheathing 7/16 in, 4 x 8 ft', 'framing', 'sheet', 1_645],
  ['siding-vinyl', 'Vinyl siding, double 4 in', 'siding', 'square', 11_900],
  ['siding-starter-12.5ft', 'Siding starter strip, 12 ft 6 in', 'siding', 'each', 745],
  ['siding-j-channel-12.5ft', 'J-channel, 12 ft 6 in', 'siding', 'each', 869],
  ['siding-corner-10ft', 'Outside corner post, 10 ft', 'siding', 'each', 2_450],
  ['house-wrap-900ft2', 'House wrap, 9 x 100 ft', 'siding', 'roll', 14_900],
  ...feet('decking-5-4x6', 'Deck board 5/4x6, treated', 'decks', { 16: 1_785 }),
  ...feet('joist-2x8', 'Treated 2x8', 'decks', { 8: 1_098, 10: 1_375, 12: 1_648, 14: 1_995, 16: 2_348 }),
  ['joist-hanger-2x8', 'Joist hanger 2x8', 'decks', 'each', 198],
  ['deck-screws-350', 'Deck screws 2-1/2 in, box of 350', 'decks', 'box', 3_298],
  ...feet('fence-post-4x4', 'Fence post 4x4, treated', 'fences', { 8: 1_248, 10: 1_675 }),
  ...feet('fence-rail-2x4', 'Fence rail 2x4, treated', 'fences', { 8: 648, 10: 845 }),
  ...feet('fence-picket', 'Fence picket, dog-ear', 'fences', { 4: 248, 6: 348 }),
  ['tile', 'Porcelain floor tile', 'tile', 'ft2', 349],
  ['thinset-50lb', 'Thin-set mortar, 50 lb', 'tile', 'bag', 2_498],
  ['grout-25lb', 'Sanded grout, 25 lb', 'tile', 'bag', 2_198],
  ['flooring-plank', 'Luxury vinyl plank', 'flooring', 'ft2', 319],
  ['floor-underlayment-100ft2', 'Floor underlayment, 100 ft2', 'flooring', 'roll', 4_490],
]

/** What an electrician buys. */
export const ELECTRICAL: Priced[] = [
  ['nm-b-14-2-250ft', 'NM-B cable 14/2 with ground, 250 ft', 'electrical', 'roll', 9_800],
  ['nm-b-12-2-250ft', 'NM-B cable 12/2 with ground, 250 ft', 'electrical', 'roll', 13_900],
  ['nm-b-10-3-125ft', 'NM-B cable 10/3 with ground, 125 ft', 'electrical', 'roll', 18_600],
  ['emt-3-4-10ft', 'EMT conduit 3/4 in, 10 ft', 'electrical', 'each', 1_185],
  ['pvc-conduit-1in-10ft', 'PVC conduit 1 in, 10 ft', 'electrical', 'each', 798],
  ['box-single-gang', 'Old-work box, single gang', 'electrical', 'each', 279],
  ['receptacle-15a-tr', 'Receptacle 15 A, tamper-resistant', 'electrical', 'each', 189],
  ['receptacle-20a-gfci', 'GFCI receptacle 20 A', 'electrical', 'each', 2_295],
  ['switch-single-pole', 'Switch, single pole', 'electrical', 'each', 149],
  ['breaker-20a-afci', 'AFCI breaker 20 A', 'electrical', 'each', 5_690],
  ['breaker-50a-2p', 'Breaker 50 A, two-pole', 'electrical', 'each', 2_190],
  ['panel-200a-40', 'Load center 200 A, 40 spaces', 'electrical', 'each', 28_900],
  ['ev-charger-48a', 'EV charger 48 A, hardwired', 'electrical', 'each', 59_900],
  ['led-downlight-6in', 'LED downlight 6 in, selectable', 'electrical', 'each', 1_495],
  ['ground-rod-8ft', 'Ground rod 5/8 in, 8 ft', 'electrical', 'each', 2_150],
  ['generator-pad', 'Generator pad, composite', 'electrical', 'each', 18_900],
]
