'use server'

import { redirect } from 'next/navigation'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { mailSoon } from '@/app/session/mail-soon'
import { visitor } from '@/app/session/visitor'
import { requestSsoPlaces, ssoPlace } from '@/lib/auth/sso/sign-in'

/** Opens a contractor's sign-in by its short name, or mails an address where its contractors sign in. */
export const findSsoAction = formAction(
  z.object({ where: z.string().trim().min(1, 'Enter a short name or an email address.').max(254) }),
  async ({ where }) => {
    const slug = where.toLowerCase()
    if (/^[a-z0-9-]{1,80}$/.test(slug) && (await ssoPlace(slug))) redirect(`/sign-in/sso/${slug}`)
    await requestSsoPlaces(await visitor(), where)
    mailSoon()
    return { ok: true, data: { email: where } }
  },
)
