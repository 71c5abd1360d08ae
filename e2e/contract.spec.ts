import { expect, test } from '@playwright/test'
import { answersOf, REQUESTS } from './contract'
import { type Entry, launch } from './running'

/**
 * The requests that plain Next answers differently, with the reason. Everything else is the same to the header: both run the same route
 * files.
 */
const DIFFERS: Record<string, string> = {
  'a method that is none of ours': 'Next answers TRACE with 500 before any code of ours runs',
  'a path for the router': 'Next redirects what its own router would ask for',
  'two slashes': 'Next redirects to the path with one, before the middleware',
}

const by = (entry: Entry) => answersOf(async (home, limits) => (await launch(entry, home, limits)).ready())

test('plain Next and the one-machine server give the same answers: status, headers, body', async () => {
  test.setTimeout(300_000)
  const server = await by('server')
  const next = await by('next')
  for (const title of Object.keys(REQUESTS)) {
    const isSame = expect.soft(next[title], title)
    if (DIFFERS[title]) isSame.not.toEqual(server[title])
    else isSame.toEqual(server[title])
  }
})
