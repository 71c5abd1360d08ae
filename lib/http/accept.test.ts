import { expect, test } from 'vitest'
import { accepts, asksForHtml, prefersJson } from './accept'

test.each([
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/json, text/plain, */*', true],
  ['application/*', true],
  ['text/html;q=0.8, application/json', true],
  ['*/*;q=0.1, application/json;q=0.2', true],
  [null, false],
  ['', false],
  ['*/*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
  ['application/json, text/html', false],
  ['application/json;q=0, */*', false],
  ['application/json;q=none', false],
  ['image/png', false],
  [',;,=', false],
])('Accept: %s prefers JSON: %s', (accept, prefers) => expect(prefersJson(accept)).toBe(prefers))

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['text/*', true],
  ['*/*', false],
  [null, false],
  ['application/json', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html;q=0', false],
])('Accept: %s asks for HTML: %s', (accept, asks) => expect(asksForHtml(accept)).toBe(asks))

test.each([
  ['application/json, text/event-stream', true],
  ['application/json; charset=utf-8, text/event-stream', true],
  ['application/*, text/*', true],
  ['*/*', true],
  ['application/json', false],
  ['text/event-stream', false],
  ['application/json;q=0, */*', false],
  ['', false],
  [null, false],
])('Accept: %s takes JSON and an event stream: %s', (accept, takes) =>
  expect(accepts(accept, 'application/json', 'text/event-stream')).toBe(takes),
)
