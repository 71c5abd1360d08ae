/** The area where a contractor works: real towns with their ZIP codes, street names, and phone area codes. */
export type Area = {
  state: string
  areaCodes: readonly [string, ...string[]]
  towns: readonly [Town, ...Town[]]
  streets: readonly [string, ...string[]]
  businesses: readonly Business[]
}
/** A town; `share` is the relative amount of work there. */
type Town = { city: string; share: number; zips: readonly [string, ...string[]] }
/** A business with repeat work. One that `manages` property orders it for other addresses. */
export type Business = { name: string; manages?: true }

export const NASHVILLE: Area = {
  state: 'TN',
  areaCodes: ['615', '615', '629', '931'],
  towns: [
    {
      city: 'Nashville',
      share: 10,
      zips: ['37203', '37204', '37205', '37206', '37209', '37211', '37212', '37214', '37215', '37216', '37221'],
    },
    { city: 'Brentwood', share: 3, zips: ['37027'] },
    { city: 'Franklin', share: 4, zips: ['37064', '37067', '37069'] },
    { city: 'Hendersonville', share: 3, zips: ['37075'] },
    { city: 'Murfreesboro', share: 4, zips: ['37127', '37128', '37129', '37130'] },
    { city: 'Mount Juliet', share: 3, zips: ['37122'] },
    { city: 'Gallatin', share: 2, zips: ['37066'] },
    { city: 'Smyrna', share: 2, zips: ['37167'] },
    { city: 'Spring Hill', share: 1, zips: ['37174'] },
    { city: 'Columbia', share: 1, zips: ['38401'] },
  ],
  streets: [
    'Belmont Boulevard',
    'Birch Lane',
    'Cedar Lane',
    'Chestnut Street',
    'Church Street',
    'Dogwood Trail',
    'Fairview Avenue',
    'Granny White Pike',
    'Greenland Avenue',
    'Hillsboro Road',
    'Lebanon Pike',
    'Magnolia Court',
    'Maple Avenue',
    'Meadow Lane',
    'Murfreesboro Road',
    'Nolensville Road',
    'Oak Street',
    'Old Hickory Boulevard',
    'Porter Road',
    'Rosebank Avenue',
    'Spring Valley Road',
    'Stones River Road',
    'Sunset Drive',
    'Sycamore Street',
    'Tulip Poplar Drive',
    'Walnut Drive',
    'Willow Way',
    'Woodmont Circle',
  ],
  businesses: [
    { name: 'Belle Meade Property Group, LLC', manages: true },
    { name: 'Harpeth Valley HOA', manages: true },
    { name: 'The "Old Mill" Lofts' },
    { name: 'Five Points Coffee Co.' },
    { name: 'Riverbend Self Storage' },
    { name: 'Stones River Church' },
    { name: 'Maple & Main Dental' },
    { name: 'Northgate Apartments, LP', manages: true },
    { name: 'Twelve Oaks Inn' },
  ],
}

export const MADISON: Area = {
  state: 'WI',
  areaCodes: ['608', '608', '608', '262'],
  towns: [
    { city: 'Madison', share: 9, zips: ['53703', '53704', '53705', '53711', '53713', '53714', '53717', '53719'] },
    { city: 'Middleton', share: 3, zips: ['53562'] },
    { city: 'Sun Prairie', share: 3, zips: ['53590'] },
    { city: 'Verona', share: 2, zips: ['53593'] },
    { city: 'Fitchburg', share: 2, zips: ['53711'] },
    { city: 'Monona', share: 2, zips: ['53716'] },
    { city: 'Waunakee', share: 1, zips: ['53597'] },
    { city: 'Stoughton', share: 1, zips: ['53589'] },
  ],
  streets: [
    'Atwood Avenue',
    'Birch Lane',
    'Cherokee Drive',
    'Cottage Grove Road',
    'Elm Court',
    'Fair Oaks Avenue',
    'Hammersley Road',
    'Highland Avenue',
    'Jenifer Street',
    'Lakeview Drive',
    'Maple Avenue',
    'Mineral Point Road',
    'Monroe Street',
    'Nakoma Road',
    'Old Sauk Road',
    'Prairie Road',
    'Raymond Road',
    'Ridgeway Terrace',
    'Rutledge Street',
    'Spaight Street',
    'Tamarack Trail',
    'Winnebago Street',
  ],
  businesses: [
    { name: 'Isthmus Property Management, LLC', manages: true },
    { name: 'The "Boathouse" Café' },
    { name: 'Lakeside Montessori' },
  ],
}
