import { slicer } from '@/lib/core/slices'
import { fault, parseSeveral } from './body'
import { storeDelivery } from './deliveries'
import type { Origin } from './intake'
import { type Reading, readDelivery } from './read'
import { LeadRefused, type Receipt, receive } from './receive'
import { withoutSecrets } from './redact'
import { isObject, type LeadSource } from './sources/define'

type Body = { body: string; contentType: string | null }

/** Reports whether a body has to be parsed to know how many leads it holds. */
export const mayHoldSeveral = ({ split }: LeadSource, body: string): boolean =>
  split !== undefined || /^\s*\[/.test(body)

/**
 * The leads of a body, each as a body of its own; the body itself where it holds one, the first of notices where it holds no lead.
 * @throws ServiceError `bad_request` when there are more than its sender may put into one
 */
export function leadsIn(source: LeadSource, { body, contentType }: Body): string[] {
  if (!mayHoldSeveral(source, body)) return [body]
  const { split, isNotice, most = 1, title } = source
  const value = parseSeveral(body, contentType)
  const found = (Array.isArray(value) ? value : [value]).flatMap((each) =>
    split && isObject(each) ? split(each) : [each],
  )
  if (found.length < 2) return [body]
  if (isNotice && found.every((each) => isObject(each) && isNotice(each))) return [JSON.stringify(found[0])]
  if (found.length > most)
    throw fault(
      `holds ${found.length} leads, and ${title} may send ${most === 1 ? 'one' : `at most ${most}`} in a request. Send them in several requests.`,
    )
  return found.map((lead) => JSON.stringify(lead))
}

/** Takes one lead of several; a refused one is kept, and the others go on. */
async function receiveOne(own: Origin, reading: Reading): Promise<Receipt | undefined> {
  try {
    return await receive(own, reading, 200)
  } catch (error) {
    if (!(error instanceof LeadRefused)) throw error
    const { message: reason, fields: faults, mapping, who, status } = error
    const { source } = reading
    await storeDelivery(own, { source, outcome: 'refused', status, reason, faults, mapping, who })
    return undefined
  }
}

/**
 * Takes a sender's body, which may hold several leads: each is its own delivery, and one that is refused does not lose the others. Other
 * requests have their turn between two leads.
 * @returns the answer to the only lead, or to the first of several that was taken, with a message that counts them
 * @throws LeadRefused when the only lead of the body cannot be used; the caller stores it
 */
export async function receiveSeveral(origin: Origin, source: LeadSource, sent: Body): Promise<Receipt> {
  const bodies = leadsIn(source, sent)
  const [only = sent.body] = bodies
  if (bodies.length === 1) return receive(origin, readDelivery(source.name, only, sent.contentType), 200)
  const contentType = 'application/json'
  const slice = slicer()
  const read: { own: Origin; reading: Reading }[] = []
  for (const [i, body] of bodies.entries()) {
    await slice()
    const idempotencyKey = origin.idempotencyKey && `${origin.idempotencyKey} ${i}`
    const own = { ...origin, contentType, body: withoutSecrets(body), bytes: Buffer.byteLength(body), idempotencyKey }
    read.push({ own, reading: readDelivery(source.name, body, contentType) })
  }
  const done = await Promise.all(read.map(({ own, reading }) => receiveOne(own, reading)))
  const receipts = done.filter((receipt) => receipt !== undefined)
  const refused = bodies.length - receipts.length
  const message = `${bodies.length} leads received; ${refused} of them could not be used and are kept, to be corrected.`
  const first = receipts.find((receipt) => 'jobNumber' in receipt) ?? receipts[0]
  return first ? { ...first, message } : { success: true, ignored: true, message }
}
