/** An example answer of price_project: 45 bundles at 39.70 = 1,786.50, + 20 % = 357.30, tax 9.25 % of the materials = 165.25. */
export const PRICED_PROJECT = {
  asOf: '2026-11-20',
  currency: 'USD',
  lines: [
    {
      item: 'shingle-architectural',
      quantity: 45,
      name: 'Architectural shingles',
      unit: 'bundle',
      unitCost: { low: 38.17, expected: 39.7, high: 41.32 },
      prices: 4,
      oldest: '2026-08-16',
      newest: '2026-11-02',
      stale: false,
      suppliers: ['Stones River Building Supply'],
      total: { low: 1717.65, expected: 1786.5, high: 1859.4 },
    },
  ],
  missing: [
    { item: 'drip-edge-10ft', quantity: 17, name: 'Drip edge, 10 ft', unit: 'each', reason: 'not in the price book' },
  ],
  stale: [],
  materials: { low: 1717.65, expected: 1786.5, high: 1859.4 },
  labor: { low: 0, expected: 0, high: 0 },
  markup: { low: 343.53, expected: 357.3, high: 371.88 },
  tax: { low: 158.88, expected: 165.25, high: 171.99 },
  total: { low: 2220.06, expected: 2309.05, high: 2403.27 },
  notIncluded: [
    'labor: the price book has no labor-roofing',
    'equipment, delivery and disposal',
    'permits and fees',
    'overhead beyond the markup given',
  ],
  assumptions: ['Three bundles make a square; four nails a shingle, six in high wind.'],
  notCounted: ['ice barrier at the eaves, where ice dams form', 'valleys'],
}
