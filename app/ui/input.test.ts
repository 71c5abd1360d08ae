import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { UserName } from './input'

test('the user name of a password form is a text field, which password managers read, and nobody is led to', () => {
  const markup = renderToStaticMarkup(createElement(UserName, { email: 'ana@example.com' }))
  for (const part of ['type="text"', 'autoComplete="username"', 'value="ana@example.com"', 'tabindex="-1"', 'sr-only'])
    expect(markup.toLowerCase()).toContain(part.toLowerCase())
  expect(markup).not.toContain('name=')
})
