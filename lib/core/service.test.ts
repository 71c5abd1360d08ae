import { expect, test } from 'vitest'
import { buildName } from './service'

test('a build is called by its version and commit; where the commit is not known, that is said', () => {
  const commit = '9f2c1e4b7a6d5038c1f0e9d8b7a695847362514f'
  expect(buildName('0.3.0', commit)).toBe('0.3.0 (commit 9f2c1e4b7a6d)')
  expect(buildName('0.3.0', `${commit}-dirty`)).toBe('0.3.0 (commit 9f2c1e4b7a6d-dirty)')
  expect(buildName('0.3.0', null)).toBe('0.3.0 (commit unknown)')
})
