/** Units of purchase and their other spellings, compared without case, spaces and punctuation. */
const WORDS: Record<string, string[]> = {
  each: ['ea', 'pc', 'pcs', 'piece', 'pieces', 'unit', 'count'],
  square: ['sq', 'squares'],
  bundle: ['bdl', 'bundles'],
  roll: ['rl', 'rolls'],
  sheet: ['sheets', 'panel', 'sht'],
  bag: ['bags', 'sack'],
  box: ['bx', 'boxes', 'carton', 'ctn'],
  bucket: ['pail', 'buckets'],
  gal: ['gallon', 'gallons'],
  l: ['litre', 'liter', 'litres', 'liters'],
  ft: ['lf', 'foot', 'feet', 'linearfoot', 'linft', 'linealfoot'],
  m: ['metre', 'meter', 'lm'],
  ft2: ['sf', 'sqft', 'squarefoot', 'squarefeet'],
  m2: ['sqm', 'squaremetre', 'squaremeter'],
  yd3: ['cy', 'cuyd', 'cubicyard', 'cubicyards', 'yard'],
  m3: ['cum', 'cubicmetre', 'cubicmeter'],
  ton: ['tons', 'shortton'],
  tonne: ['tonnes', 'metricton', 't'],
}
const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, '')
const UNITS = new Map(Object.entries(WORDS).flatMap(([unit, others]) => [unit, ...others].map((word) => [word, unit])))

/** A unit of purchase as it is stored: `CY` and `cu. yd.` are `yd3`; an unknown one stays, in lower case. */
export const canonicalUnit = (text: string): string => UNITS.get(plain(text)) ?? text.trim().toLowerCase()
