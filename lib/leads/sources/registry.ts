import { angi, homeadvisor } from './angi'
import { callrail } from './callrail'
import { contactForm7 } from './contact-form-7'
import type { JsonObject, LeadSource } from './define'
import { houzz, modernize, networx } from './directories'
import { gohighlevel } from './gohighlevel'
import { googleAds } from './google-ads'
import { gravityForms } from './gravity-forms'
import { hubspot } from './hubspot'
import { jotform } from './jotform'
import { meta } from './meta'
import { thumbtack } from './thumbtack'
import { typeform } from './typeform'
import { webflow } from './webflow'
import { yelp } from './yelp'
import { zapier } from './zapier'

/** Senders with their own format, the most specific first: any form matches the last. */
export const sources: LeadSource[] = [
  ...[googleAds, meta, typeform, jotform, webflow, hubspot, gohighlevel, callrail, yelp],
  ...[thumbtack, angi, homeadvisor, houzz, networx, modernize, gravityForms, contactForm7, zapier],
]

/** The names of the sources, as URLs have them. */
export const LEAD_SOURCES = sources.map(({ name }) => name)

/** Other names of a source in its URL. */
const ALIASES: Record<string, string> = { facebook: 'meta', instagram: 'meta', ig: 'meta', fb: 'meta' }

const byName = new Map(sources.map((source) => [source.name, source]))

/** The source with this name, or with this other name. */
export const findSource = (name: string): LeadSource | undefined =>
  byName.get(name) ?? byName.get(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? '') : '')

/** The source of a body, detected by its shape. */
export const detectSource = (body: JsonObject): LeadSource | undefined =>
  sources.find((source) => source.recognizes(body))

/** Senders without a webhook; their leads arrive through another source. */
export const INDIRECT: Record<string, string> = {
  nextdoor:
    'Nextdoor has no webhook of its own. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
}
