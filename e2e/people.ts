import { type BrowserContext, expect, type Page } from '@playwright/test'
import { Parser } from 'htmlparser2'
import type { Service } from './fixtures'
import { command } from './running'
import { settled } from './settled'

export type Role = 'admin' | 'developer' | 'viewer'
export type Person = { email: string; password: string }

/** Creates a contractor's user on the command line. */
export async function makePerson(
  { home }: Pick<Service, 'home'>,
  contractor: string,
  role: Role = 'admin',
): Promise<Person> {
  const email = `${role}.${crypto.randomUUID().slice(0, 8)}@example.com`
  const options = ['--contractor', contractor, '--email', email, '--role', role, '--json']
  return { email, password: JSON.parse(await command(home, 'admin', 'create', ...options)).password }
}

/** A browser's storage after sign-in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** Returns the hidden fields of the last form that has an input of this type. */
export function formFields(html: string, asked: 'password' | 'radio'): FormData {
  const wanted = new FormData()
  let [hidden, hasIt]: [[string, string][], boolean] = [[], false]
  const parser = new Parser({
    onopentag(name, { type, name: field = '', value = '' }) {
      if (name === 'form') [hidden, hasIt] = [[], false]
      if (name === 'input' && type === 'hidden') hidden.push([field, value])
      if (name === 'input' && type === asked) hasIt = true
    },
    onclosetag(name) {
      if (name === 'form' && hasIt) for (const [field, value] of hidden) wanted.append(field, value)
    },
  })
  parser.end(html)
  return wanted
}

/**
 * Signs in by sending the form as a browser without script does, which `forms.spec.ts` shows in a browser. Returns
 * the browser's storage, for as many windows as a test needs.
 */
export async function signIn(url: string, person: Person): Promise<SignedIn> {
  const body = formFields(await (await fetch(`${url}/sign-in`)).text(), 'password')
  body.append('email', person.email)
  body.append('password', person.password)
  const answer = await fetch(`${url}/sign-in`, { method: 'POST', body, headers: { origin: url }, redirect: 'manual' })
  const cookies = answer.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    return {
      name,
      value,
      domain: 'localhost',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    }
  })
  if (answer.status !== 303 || cookies.length === 0)
    throw new Error(`${person.email} cannot sign in: ${answer.status} ${await answer.text()}`)
  return { cookies, origins: [] }
}

/** Opens a page as a person, signed in. */
export async function openAs(page: Page, person: Person, url: string): Promise<void> {
  await page.context().addCookies((await signIn(new URL(url).origin, person)).cookies)
  await page.goto(url)
  await settled(page)
}

/** Returns the cookies of a signed-in person, for requests without a browser. */
export const cookieOf = ({ cookies }: SignedIn): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

/** Signs in on the page that asks for it: refused in words with another password, then let in. */
export async function signInOn(page: Page, { email, password }: Person): Promise<void> {
  const send = async (entered: string) => {
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(entered)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await send('not the password at all')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Incorrect email or password')
  await send(password)
}
