import { bodiesIn, parseBody } from './body'
import { keepDelivery } from './deliveries'
import type { Origin } from './intake'
import { readDelivery } from './read'
import { LeadRefused, type Receipt, receive } from './receive'
import { withoutSecrets } from './redact'
import type { LeadSource } from './sources/define'

type Body = { body: string; contentType: string | null }

/** The leads of a body, each as a body of its own; the body itself where it holds one. */
function leadsIn({ split }: LeadSource, { body, contentType }: Body): string[] {
  const bodies = bodiesIn(body, contentType)
  if (!split || bodies.length > 1 || !/^\s*[{[]/.test(body)) return bodies
  try {
    const leads = split(parseBody(body, contentType))
    return leads.length > 1 ? leads.map((lead) => JSON.stringify(lead)) : bodies
  } catch {
    // The reader says what is wrong with it.
    return bodies
  }
}

/** Takes one lead of several; a refused one is kept, and the others go on. */
async function receiveOne(
  origin: Origin,
  source: LeadSource,
  { body, contentType }: Body,
): Promise<Receipt | undefined> {
  const own = { ...origin, contentType, body: withoutSecrets(body), bytes: Buffer.byteLength(body) }
  try {
    return await receive(own, readDelivery(source.name, body, contentType), 200)
  } catch (error) {
    if (!(error instanceof LeadRefused)) throw error
    const { message: reason, fields: faults, mapping, who, status } = error
    await keepDelivery(own, { source: source.name, outcome: 'refused', status, reason, faults, mapping, who })
    return undefined
  }
}

/**
 * Takes a sender's body, which may hold several leads: each is its own delivery, and one that is refused does not lose the others.
 * @returns the answer to the only lead, or to the first of several that was taken, with a message that counts them
 * @throws LeadRefused when the only lead of the body cannot be used; the caller stores it
 */
export async function receiveSeveral(origin: Origin, source: LeadSource, sent: Body): Promise<Receipt> {
  const bodies = leadsIn(source, sent)
  if (bodies.length === 1) return receive(origin, readDelivery(source.name, sent.body, sent.contentType), 200)
  const one = (body: string) => receiveOne(origin, source, { body, contentType: 'application/json' })
  const receipts = (await Promise.all(bodies.map(one))).filter((receipt) => receipt !== undefined)
  const refused = bodies.length - receipts.length
  const message = `${bodies.length} leads received; ${refused} of them could not be used and are kept, to be corrected.`
  const first = receipts.find((receipt) => 'jobNumber' in receipt) ?? receipts[0]
  return first ? { ...first, message } : { success: true, ignored: true, message }
}
