import { expect, test } from 'vitest'
import { faultText, RPC, wordOf } from './fault'

test.each(Object.values(RPC))('%i: the word the log has for it is explained', (code) => {
  expect(faultText(wordOf(code))).toEqual({ means: expect.stringMatching(/\.$/), next: expect.stringMatching(/\.$/) })
})

test('other words are none of ours', () => expect(faultText('other')).toBeUndefined())
