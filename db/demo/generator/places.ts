/** Where a contractor works: real towns with a ZIP code of theirs, and the area codes of its phones. */
export type Area = { state: string; areaCodes: readonly [string, ...string[]]; towns: readonly [Town, ...Town[]] }
type Town = { city: string; zips: readonly [string, ...string[]] }

export const NASHVILLE: Area = {
  state: 'TN',
  areaCodes: ['615', '629', '931'],
  towns: [
    { city: 'Nashville', zips: ['37203', '37205', '37206', '37209', '37211', '37212', '37215', '37216'] },
    { city: 'Brentwood', zips: ['37027'] },
    { city: 'Franklin', zips: ['37064', '37067', '37069'] },
    { city: 'Hendersonville', zips: ['37075'] },
    { city: 'Murfreesboro', zips: ['37127', '37128', '37129', '37130'] },
    { city: 'Mount Juliet', zips: ['37122'] },
    { city: 'Gallatin', zips: ['37066'] },
    { city: 'Smyrna', zips: ['37167'] },
    { city: 'Columbia', zips: ['38401'] },
  ],
}

export const MADISON: Area = {
  state: 'WI',
  areaCodes: ['608', '262'],
  towns: [
    { city: 'Madison', zips: ['53703', '53704', '53705', '53711', '53713', '53719'] },
    { city: 'Middleton', zips: ['53562'] },
    { city: 'Sun Prairie', zips: ['53590'] },
    { city: 'Verona', zips: ['53593'] },
    { city: 'Fitchburg', zips: ['53711'] },
    { city: 'Monona', zips: ['53716'] },
    { city: 'Waunakee', zips: ['53597'] },
    { city: 'Stoughton', zips: ['53589'] },
  ],
}

export const STREETS = [
  'Oak Street',
  'Maple Avenue',
  'Hillsboro Road',
  'Cedar Lane',
  'Walnut Drive',
  'Granny White Pike',
  'Belmont Boulevard',
  'Elm Court',
  'Lakeview Drive',
  'Riverside Drive',
  'Franklin Avenue',
  'Sycamore Street',
  'Woodmont Circle',
  'Park Place',
  'Highland Avenue',
  'Willow Way',
  'Church Street',
  'Ridgeway Terrace',
  'Magnolia Court',
  'Spring Valley Road',
  'Birch Lane',
  'Fairview Avenue',
  'Meadow Lane',
  'Chestnut Street',
  'Old Mill Road',
  'Sunset Drive',
] as const
