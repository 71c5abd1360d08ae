import { ServiceError } from '@/lib/core/errors'
import { MAIL, MAIL_PATH } from '@/lib/core/uploads'
import type { Answerer, Endpoint } from '../endpoint'
import { limitAddress } from '../limit'
import { logged } from '../logged'
import { requireMethod, type ServiceRequest } from '../request'
import { requireHost } from './put'

/** The request without the token of its URL, which is a secret and stands in no log. */
const withoutToken = (request: ServiceRequest): ServiceRequest => ({
  method: request.method,
  url: new URL(MAIL_PATH.slice(0, -1), request.url).href,
  headers: request.headers,
  body: (cap) => request.body(cap),
  chunks: () => request.chunks(),
  gone: () => request.gone(),
})

/** POST /api/webhooks/mail/{token}: takes a mail that a receiver of mails posts. */
const answer: Answerer = async (request) => {
  const { pathname } = new URL(request.url)
  const token = pathname.startsWith(MAIL_PATH) ? pathname.slice(MAIL_PATH.length) : ''
  const steps = logged('receive_mail', async (asked, reply) => {
    try {
      requireHost(asked, MAIL_PATH.slice(0, -1))
      await limitAddress({ limit: 'leads', name: 'receive_mail' }, asked, reply)
      requireMethod(asked, ['POST'], 'POST')
      if (Number(asked.headers.get('content-length') ?? 0) > MAIL.maxBytes)
        throw new ServiceError('payload_too_large', `A mail may have ${MAIL.maxBytes} bytes with its attachments.`)
      const contentType = asked.headers.get('content-type') ?? ''
      const { receiveMail } = await import('@/lib/operations/sources/receive-mail')
      return reply.json(JSON.stringify({ outcome: await receiveMail(token, { contentType, chunks: asked.chunks() }) }))
    } catch (error) {
      return reply.error(error)
    }
  })
  return await steps(withoutToken(request))
}

/** The endpoint where mails are posted. It is in no document of the API: receivers are given its URL with the token. */
export const mailEndpoint: Endpoint = { path: `${MAIL_PATH}{token}`, answer }
