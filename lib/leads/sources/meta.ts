import { answersIn } from './answers'
import {
  type Draft,
  draftFrom,
  isObject,
  type JsonObject,
  type LeadSource,
  SEVERAL,
  set,
  textOf,
  valueAt,
} from './define'
import { readAnswers } from './form'

const ANNOUNCED =
  'Meta sends only the id of a lead, without its answers. Have the tool that fetches the lead (Zapier, Make, a CRM) post its field_data here.'

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** A notification's changes: the leads of several pages and forms in one body. */
const changesOf = (body: JsonObject): JsonObject[] =>
  listOf(body.entry)
    .flatMap((entry) => listOf(Object(entry).changes))
    .map((change) => Object(change).value)
    .filter(isObject)

/** The fields that Meta's own notification has of a lead; anything beside them may be an answer. Meta joins up to 1,000 in a body. */
const NOTICE = new Set(['leadgen_id', 'ad_id', 'adgroup_id', 'form_id', 'page_id', 'created_time'])

function sourceOf(body: JsonObject): string {
  const platform = textOf(body.platform)?.toLowerCase() ?? ''
  return platform === 'ig' || platform.includes('instagram') ? 'Instagram' : 'Facebook'
}

/**
 * The source Meta lead ads (Facebook, Instagram): the leads of the Graph API with their `field_data`, as connectors forward them, and flat
 * fields. Meta's own notification has only the id of a lead.
 */
export const meta: LeadSource = {
  name: 'meta',
  title: 'Meta lead ads',
  recognizes: (body) =>
    Array.isArray(body.field_data) || 'leadgen_id' in body || (body.object === 'page' && 'entry' in body),
  // developers.facebook.com, Webhooks, "Validating Payloads".
  signature: { header: 'x-hub-signature-256', encoding: 'hex' },
  split: (body) => {
    const changes = changesOf(body)
    return changes.length > 0 ? changes : [body]
  },
  most: SEVERAL,
  isNotice: (lead) => 'leadgen_id' in lead && Object.keys(lead).every((name) => NOTICE.has(name)),
  read: (notification) => {
    const [body = notification] = changesOf(notification)
    const draft: Draft = draftFrom(body, { externalId: ['leadgen_id', 'id'] })
    set(draft, 'leadSource', sourceOf(body), 'platform')
    readAnswers(draft, answersIn(body))
    const hasAnswers = ['fullName', 'firstName', 'email', 'phone'].some(
      (field) => valueAt(draft.values, field) !== undefined,
    )
    if (!hasAnswers && 'leadgen_id' in body) draft.announces = ANNOUNCED
    return draft
  },
}
