import { expect, test } from 'vitest'
import { withoutSecrets } from './redact'

const KEY = `plb_live_${'a'.repeat(46)}`

test.each([
  ['{"google_key": "hush","lead_id":"1"}', '{"google_key": "[removed]","lead_id":"1"}'],
  ['{"GOOGLE_KEY":12,"x":1}', '{"GOOGLE_KEY":"[removed]","x":1}'],
  ['{"google_key":"with \\" inside"}', '{"google_key":"[removed]"}'],
  ['{"google_key":"cut off', '{"google_key":"[removed]"'],
  ['{"a":{"password":"p"},"token":"t"}', '{"a":{"password":"[removed]"},"token":"[removed]"}'],
  ['name=Ana&api_key=hush&city=x', 'name=Ana&api_key=[removed]&city=x'],
  [`{"notes":"my key is ${KEY}"}`, '{"notes":"my key is [removed]"}'],
  [
    '--b\r\ncontent-disposition: form-data; name="token"\r\ncontent-type: text/plain\r\n\r\nhush\r\n--b\r\nx; name="a"\r\n\r\nkept\r\n--b--',
    '--b\r\ncontent-disposition: form-data; name="token"\r\ncontent-type: text/plain\r\n\r\n[removed]\r\n--b\r\nx; name="a"\r\n\r\nkept\r\n--b--',
  ],
  ['{"notes":"a token of thanks","tokens":"2"}', '{"notes":"a token of thanks","tokens":"2"}'],
])('%s', (body, kept) => {
  expect(withoutSecrets(body)).toBe(kept)
})
