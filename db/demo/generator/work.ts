/** A kind of job: what it is called, what is to be done, what it costs (whole dollars), how often it is asked for. */
export type Job = { name: string; scope: string; low: number; high: number; weight: number }
export type Trade = { jobs: readonly [Job, ...Job[]]; plan: Job }

export const ROOFING: Trade = {
  jobs: [
    {
      name: 'Re-roof, architectural shingle, 28 sq',
      scope:
        'Tear off one layer, synthetic underlayment, ice and water shield at valleys, architectural shingles, ridge vent. Pitch 6/12.',
      low: 13_800,
      high: 21_500,
      weight: 9,
    },
    {
      name: 'Re-roof, architectural shingle, 40 sq',
      scope:
        'Tear off two layers, replace rotten decking as found, architectural shingles, new flashing at two chimneys. Pitch 8/12.',
      low: 21_000,
      high: 34_000,
      weight: 5,
    },
    {
      name: 'Standing-seam metal roof',
      scope: '24 ga. standing-seam panels over high-temperature underlayment, snow guards over entries.',
      low: 28_000,
      high: 52_000,
      weight: 2,
    },
    {
      name: 'Roof repair, wind damage',
      scope: 'Replace missing shingles and lifted ridge cap, reseal pipe boots.',
      low: 650,
      high: 2_900,
      weight: 8,
    },
    {
      name: 'Hail damage replacement',
      scope: 'Insurance claim: full replacement of shingles, gutters and screens as in the adjuster’s scope.',
      low: 16_000,
      high: 31_000,
      weight: 4,
    },
    {
      name: 'Gutter and downspout replacement',
      scope: '6 in. seamless aluminum gutters with covers, 3 x 4 in. downspouts to splash blocks.',
      low: 1_900,
      high: 5_600,
      weight: 7,
    },
    {
      name: 'Skylight replacement',
      scope: 'Two fixed skylights with flashing kits, interior trim touched up.',
      low: 2_400,
      high: 5_200,
      weight: 3,
    },
    {
      name: 'Fiber-cement siding',
      scope: 'Remove vinyl siding, house wrap, fiber-cement lap siding and trim, two coats of paint.',
      low: 19_000,
      high: 42_000,
      weight: 3,
    },
    {
      name: 'Kitchen remodel',
      scope: 'New cabinets, quartz tops, tile backsplash, LVP floor, relocated sink, recessed lights.',
      low: 38_000,
      high: 84_000,
      weight: 3,
    },
    {
      name: 'Bathroom remodel',
      scope: 'Tub to tiled walk-in shower, vanity, heated floor, new exhaust fan.',
      low: 14_500,
      high: 33_000,
      weight: 5,
    },
    {
      name: 'Deck, composite, 16 x 20 ft',
      scope: 'Treated frame on footings, composite boards, aluminum rail, stair to grade.',
      low: 17_000,
      high: 29_000,
      weight: 4,
    },
    {
      name: 'Screened porch',
      scope: 'Gable roof over existing deck, screens, beadboard ceiling, two fans.',
      low: 22_000,
      high: 41_000,
      weight: 2,
    },
    {
      name: 'Attic insulation and ventilation',
      scope: 'Blown-in cellulose to R-49, baffles at eaves, ridge vent.',
      low: 2_600,
      high: 6_400,
      weight: 3,
    },
  ],
  plan: {
    name: 'Roof inspection and gutter service plan',
    scope: 'Yearly inspection with photos, gutters cleaned spring and fall, minor repairs included.',
    low: 420,
    high: 780,
    weight: 1,
  },
}

export const ELECTRIC: Trade = {
  jobs: [
    {
      name: '200 A service upgrade',
      scope: 'New meter base, 200 A panel, grounding to code, utility coordination.',
      low: 3_400,
      high: 6_200,
      weight: 6,
    },
    {
      name: 'EV charger circuit',
      scope: '60 A circuit to garage, hardwired Level 2 charger, load calculation.',
      low: 950,
      high: 2_600,
      weight: 7,
    },
    {
      name: 'Whole-house rewire',
      scope: 'Replace knob-and-tube throughout, new devices, AFCI protection, plaster patched.',
      low: 14_000,
      high: 29_000,
      weight: 2,
    },
    {
      name: 'Standby generator, 22 kW',
      scope: 'Air-cooled generator on pad, automatic transfer switch, gas line by others.',
      low: 9_800,
      high: 15_500,
      weight: 3,
    },
    { name: 'Recessed lighting', scope: 'Twelve LED wafer lights on two dimmers.', low: 1_400, high: 3_200, weight: 5 },
    {
      name: 'Panel repair',
      scope: 'Replace failing breakers and a corroded bus, torque and label.',
      low: 380,
      high: 1_500,
      weight: 6,
    },
    {
      name: 'Kitchen remodel wiring',
      scope: 'Two small-appliance circuits, range and hood circuits, under-cabinet lights.',
      low: 2_900,
      high: 6_800,
      weight: 4,
    },
    {
      name: 'Hot tub circuit',
      scope: '50 A GFCI disconnect within sight, bonding, trench to pad.',
      low: 1_300,
      high: 2_900,
      weight: 3,
    },
  ],
  plan: {
    name: 'Generator maintenance plan',
    scope: 'Yearly oil, filters, battery test and transfer test under load.',
    low: 320,
    high: 560,
    weight: 1,
  },
}
