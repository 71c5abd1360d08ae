import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OVERLOADED } from '@/lib/core/overload'
import GlobalError from './global-error'

const shown = (fault: Error & { digest?: string }) => renderToStaticMarkup(createElement(GlobalError, { error: fault }))

test('the last error page says what, why and what next, and shows only the reference of the error', () => {
  const page = shown(Object.assign(new Error('password of the database'), { digest: '1234567' }))
  expect(page).toMatch(/^<html lang="en">.*<title>.+<\/title>.*<h1>This page could not be shown<\/h1>/)
  expect(page).toContain('on our side')
  expect(page).toContain('1234567')
  expect(page).not.toContain('password of the database')
})

test('the last error page works under a policy without inline scripts and styles', () => {
  const page = shown(new Error('x'))
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
  expect(page).toContain('>Try again</a>')
})

test('of an overload it says that the database has too much to do, and no reference', () => {
  const page = shown(Object.assign(new Error('x'), { digest: OVERLOADED }))
  expect(page).toContain('The database has more to do right now')
  expect(page).not.toContain('reference')
})
