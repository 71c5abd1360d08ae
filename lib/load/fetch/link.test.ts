import { expect, test } from 'vitest'
import { csvAddress } from './link'

const AT = 'https://docs.google.com/spreadsheets/d'

test.each([
  [`${AT}/e/2PACX-1vQ/pubhtml`, `${AT}/e/2PACX-1vQ/pub?output=csv`],
  [`${AT}/e/2PACX-1vQ/pubhtml?gid=17&single=true`, `${AT}/e/2PACX-1vQ/pub?gid=17&single=true&output=csv`],
  [`${AT}/e/2PACX-1vQ/pub?output=csv`, `${AT}/e/2PACX-1vQ/pub?output=csv`],
  [`${AT}/1AbC_d-9/edit?usp=sharing`, `${AT}/1AbC_d-9/export?format=csv`],
  [`${AT}/1AbC_d-9/edit#gid=42`, `${AT}/1AbC_d-9/export?format=csv&gid=42`],
  [`${AT}/1AbC_d-9`, `${AT}/1AbC_d-9/export?format=csv`],
])('%s is read as CSV', (given, csv) => expect(csvAddress(given)).toBe(csv))

test.each([
  `${AT}/e/2PACX-1vQ/pub?output=xlsx`,
  `${AT}/1AbC_d-9/export?format=xlsx`,
  'https://docs.google.com/document/d/1AbC/edit',
  'https://files.example.com/spreadsheets/d/1AbC/edit',
])('%s is read as it is', (given) => expect(csvAddress(given)).toBe(given))
